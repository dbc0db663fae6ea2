import assert from 'node:assert/strict';

import { holdersOf, holds } from '../../../../src/local/stop/holders.js';
import { loadNodePty } from '../../../../src/local/child/nodePty.js';
import { OpenTerminals } from '../../../../src/local/child/openTerminals.js';
import { listProcesses } from '../../../../src/local/marks/processTable.js';
import { startTerminalChild } from '../../../../src/local/child/terminalChild.js';
import { killIfThere } from '../../../support/killIfThere.js';
import { describeOnLinux } from '../../../support/onLinux.js';

describeOnLinux('The holders of the output of a terminal', () => {
  const nothing = () => undefined;
  const sink = { forking: nothing, forked: nothing, output: nothing, exited: nothing, ended: nothing };

  async function start(terminals: OpenTerminals) {
    const pty = await loadNodePty();
    assert.equal(pty.kind, 'native');
    const size = { columns: 80, rows: 24 };
    const argv = ['sleep', '1000'] as const;
    const request = { argv, cwd: '/', env: { PATH: process.env['PATH'] ?? '' }, size };
    return startTerminalChild(request, sink, pty, terminals);
  }

  it('are those of its own file, and empty once it is closed', async () => {
    const terminals = new OpenTerminals();
    const children = [await start(terminals), await start(terminals)] as const;
    try {
      const [one, other] = children;
      const rows = await listProcesses();
      assert.deepEqual(
        holdersOf(one.outputLinks, rows).map(({ pid }) => pid),
        [one.pid],
      );
      assert.deepEqual([holds(one.pid, one.outputLinks), holds(other.pid, one.outputLinks)], [true, false]);
      // A terminal of the same name in a file system of its own, as containers have one, is another.
      const elsewhere = [...one.outputLinks].map((link) => link.replace(/\d+$/, (device) => `${device}1`));
      assert.deepEqual(holdersOf(new Set(elsewhere), rows), []);
      one.abandon();
      assert.deepEqual([...one.outputLinks], []);
      assert.deepEqual(holdersOf(one.outputLinks, rows), []);
    } finally {
      children.forEach((child) => {
        child.abandon();
        killIfThere(child.pid);
      });
    }
  });
});
