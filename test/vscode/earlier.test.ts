import assert from 'node:assert/strict';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { setImmediate } from 'node:timers/promises';

import { TreeItemCollapsibleState } from 'vscode';

import type { EndedReceipt } from '../../src/core/index.js';
import { readOwnReceipts } from '../../src/machine/index.js';
import { EarlierRows } from '../../src/vscode/tree/earlierRows.js';
import type { ReceiptNode, TreeNode } from '../../src/vscode/tree/nodes.js';
import { isReceiptNode } from '../../src/vscode/tree/nodes.js';
import { FakeClock } from '../support/fakeClock.js';
import { onLinux } from '../support/onLinux.js';
import { isRunning } from '../support/processes.js';
import { until } from '../support/until.js';
import { sampleReceipt } from '../support/sampleReceipt.js';
import { chosenBackend, Fixture, outputOf, setSetting } from './fixture.js';

describe('the rows of earlier sessions', () => {
  const receipt = (id: string, some: Partial<EndedReceipt> = {}): EndedReceipt => ({
    ...sampleReceipt(id),
    end: { kind: 'lost', at: 2_000 },
    ...some,
  });

  it('are read while somebody can see them, and are those of the newest reading, whichever ends first', async () => {
    const clock = new FakeClock();
    const readings: ((receipts: readonly EndedReceipt[]) => void)[] = [];
    const rows = new EarlierRows({
      read: () => new Promise((resolve) => readings.push(resolve)),
      withOutput: () => Promise.resolve(new Set<string>()),
      isListed: () => false,
      clock,
      log: (line) => assert.fail(line),
    });
    rows.look();
    clock.advance(60_000);
    assert.equal(readings.length, 0);
    rows.setVisible(true);
    clock.advance(60_000);
    assert.equal(readings.length, 1);
    const removed = rows.lookNow();
    readings[1]?.([receipt('kept')]);
    await removed;
    readings[0]?.([receipt('kept'), receipt('removed')]);
    const later = rows.lookNow();
    const left = [{ pid: 7, startTime: '70', command: 'sleep' }];
    const shown = () => rows.children().map((node) => [node.receipt.id, node.receipt.left.length]);
    await setImmediate();
    assert.deepEqual(shown(), [['kept', 0]]);
    readings[2]?.([receipt('kept', { left })]);
    await later;
    assert.deepEqual(shown(), [['kept', 1]]);
    rows.setVisible(false);
    rows.look();
    clock.advance(60_000);
    assert.equal(readings.length, 3);
    rows.dispose();
  });

  it('are filtered as the list is, in a group that is expanded meanwhile', async () => {
    const rows = new EarlierRows({
      read: () => Promise.resolve([receipt('web', { title: 'Web' }), receipt('api', { title: 'Api' })]),
      withOutput: () => Promise.resolve(new Set<string>()),
      isListed: () => false,
      clock: new FakeClock(),
      log: (line) => assert.fail(line),
    });
    const shown = () => [rows.groupItem().description, ...rows.children().map((node) => node.receipt.id)];
    rows.setFilter({ text: 'we' });
    await rows.lookNow();
    assert.deepEqual(shown(), ['1', 'web']);
    const filtered = rows.groupItem();
    rows.setFilter({ text: 'nothing' });
    assert.equal(rows.count, 0);
    rows.setFilter({});
    assert.deepEqual(shown(), ['2', 'web', 'api']);
    const { Collapsed, Expanded } = TreeItemCollapsibleState;
    assert.deepEqual(
      [filtered.collapsibleState, rows.groupItem().collapsibleState, filtered.id === rows.groupItem().id],
      [Expanded, Collapsed, false],
    );
    rows.dispose();
  });
});

describe('the sessions that a window runs itself', () => {
  beforeEach(() => setSetting('local.backend', 'extensionHost'));

  afterEach(() => setSetting('local.backend', chosenBackend));

  it('have receipts, which say of those that end with the window that they did', async () => {
    const fixture = new Fixture();
    let running: string;
    let over: string;
    try {
      running = (await fixture.start('sleep 1000')).id;
      over = (await fixture.run('exit 3')).id;
    } finally {
      await fixture.leave();
    }
    const receipts = await readOwnReceipts();
    const ends = [over, running].map((id) => {
      const { end, endedBy, window } = receipts.find(({ sessionId }) => sessionId === id) ?? assert.fail(id);
      return [end.kind, endedBy, window];
    });
    assert.deepEqual(ends, [
      ['exit', undefined, true],
      ['exit', { kind: 'window' }, true],
    ]);
  });
});

if (chosenBackend === 'server') {
  describe('the earlier sessions', () => {
    let fixture: Fixture;

    beforeEach(() => {
      fixture = new Fixture();
      fixture.services.tree.setVisible(true);
    });

    afterEach(() => fixture.dispose());

    const group = (): TreeNode | undefined =>
      fixture.services.tree.getChildren().find(({ kind }) => kind === 'earlier');

    /** The row of an earlier session, once it is there. */
    const rowOf = async (title: string): Promise<ReceiptNode> => {
      let row: ReceiptNode | undefined;
      await until(() => {
        const rows = fixture.services.tree.getChildren(group() ?? { kind: 'earlier' });
        row = rows.filter(isReceiptNode).find(({ receipt }) => receipt.title === title);
        return row !== undefined;
      });
      assert.ok(row);
      return row;
    };

    it('are in a group of the tree, run again with the variables of this window, and can be removed', async () => {
      const session = await fixture.run('echo "$MARKED"; exit 3');
      await fixture.commands['execSessions.remove'](session.id);
      const row = await rowOf('echo "$MARKED"; exit 3');
      const parent = fixture.services.tree.getParent(row);
      assert.equal(parent?.kind, 'earlier');
      assert.ok(fixture.services.tree.beginsCollapsed(parent));
      assert.match(String(fixture.services.tree.getTreeItem(row).description), /^exit 3/);

      const id = await fixture.commands['execSessions.runReceipt'](row);
      const next = fixture.list.get(id ?? '');
      assert.ok(next);
      assert.deepEqual(next.request.argv, session.request.argv);
      assert.notEqual(next.id, session.id);

      await fixture.commands['execSessions.removeReceipt'](row);
      const ids = () =>
        fixture.services.tree
          .getChildren(group() ?? { kind: 'earlier' })
          .filter(isReceiptNode)
          .map(({ receipt }) => receipt.id);
      await until(
        () => ids(),
        (seen) => !seen.includes(row.receipt.id),
      );
    });

    it('run again in their sandbox', async () => {
      const title = 'echo out > /var/tmp/es-earlier-out.txt';
      const session = await fixture.run(title, { sandbox: { network: true } });
      await fixture.commands['execSessions.remove'](session.id);
      const row = await rowOf(title);
      const { description, tooltip } = fixture.services.tree.getTreeItem(row);
      const refusal = 'refused by the sandbox: /var/tmp/es-earlier-out.txt is read-only';
      assert.ok(String(description).startsWith(`exit 1 · ${refusal} · `), String(description));
      assert.match(tooltip as string, /^Sandbox: writes to .*, with network$/m);
      const next = fixture.list.get((await fixture.commands['execSessions.runReceipt'](row)) ?? '');
      assert.equal(next?.snapshot().sandbox?.network, true);
      await until(() => next.snapshot().exit?.refused?.file, '/var/tmp/es-earlier-out.txt');
    });

    it('run several again, and are all forgotten after a question', async () => {
      const sessions = [await fixture.run('exit 3'), await fixture.run('exit 4')];
      await fixture.commands['execSessions.remove'](
        sessions[0]?.id,
        sessions.map(({ id }) => id),
      );
      const rows = [await rowOf('exit 3'), await rowOf('exit 4')] as const;
      await fixture.commands['execSessions.runReceipt'](rows[0], rows);
      const labels = fixture.list.sessions.map(({ label }) => label);
      assert.deepEqual(labels.toSorted(), ['exit 3', 'exit 4']);
      const clear = () => fixture.commands['execSessions.clearEarlier']();
      await clear();
      await fixture.user.hears(/^Forget \d+ earlier sessions/);
      assert.ok(group(), 'the answer was no');
      fixture.user.confirms.push(true);
      await clear();
      assert.equal(group(), undefined);
    });

    onLinux('have left what can be stopped, one by one', async () => {
      const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'es-left-'));
      // A name that nothing else on this machine has.
      const name = path.basename(folder);
      fs.copyFileSync('/bin/sleep', path.join(folder, name));
      const session = await fixture.run(`setsid ${folder}/${name} 1000 >/dev/null 2>&1 & echo $!`);
      const pid = Number(await outputOf(session));
      await until(async () => {
        fixture.user.pickedMany.push(undefined);
        await fixture.commands['execSessions.showLeftovers']();
        return fixture.user.asked.at(-1)?.includes(name) === true;
      });
      fixture.user.pickedMany.splice(0, fixture.user.pickedMany.length, [name]);
      fixture.user.confirms.push(true);
      await fixture.commands['execSessions.showLeftovers']();
      await until(async () => !(await isRunning(pid)));
      fs.rmSync(folder, { recursive: true });
    });
  });
}
