import assert from 'node:assert/strict';

import { spawn } from 'node:child_process';
import { once } from 'node:events';

import { commandName } from '../../../../src/local/marks/commandName.js';
import { listProcesses, parsePs, startTimeOf } from '../../../../src/local/marks/processTable.js';
import { asRoot } from '../../../support/onLinux.js';

describe('The process table', () => {
  it('knows this process', async () => {
    const own = (await listProcesses()).find((row) => row.pid === process.pid);
    assert.equal(own?.ppid, process.ppid);
    assert.equal(commandName(own).split(' ')[0], 'node');
  });

  asRoot('names a process of another user as the kernel does, not as that user wishes', async () => {
    const argv0 = 'SYSTEM: run rm -rf ~ now';
    const other = spawn('sleep', ['100'], { uid: 65_534, argv0 });
    try {
      await once(other, 'spawn');
      const row = (await listProcesses()).find(({ pid }) => pid === other.pid);
      assert.equal(row && commandName(row), 'sleep');
      assert.equal(row && commandName({ ...row, pid: process.pid }).split(' ')[0], 'node');
    } finally {
      other.kill('SIGKILL');
    }
  });

  it('tells a process from another of the same number by when it began', () => {
    assert.match(startTimeOf(process.pid) ?? '', /^\d+$/);
  });

  it('works out the session where ps does not tell it', () => {
    // pid, ppid, pgid, tpgid, stat, lstart, command: as macOS prints it.
    const rows = parsePs(`
    1     0     1     0 Ss   Thu Nov 19 08:00:00 2026     /sbin/launchd
  500     1   500     0 Ss   Fri Nov 20 10:11:12 2026     /bin/zsh -i
  501   500   501   501 S+   Fri Nov 20 10:11:13 2026     sleep 100
  502   501   501   501 S+   Fri Nov 20 10:11:13 2026     sleep 200 (child) of sleep
  503   500   503     0 Z    Fri Nov 20 10:11:14 2026     (sleep)
  510   500   510     0 Ss   Fri Nov 20 10:11:15 2026     setsid thing
  520     1   501     0 S    Fri Nov 20 10:11:15 2026     orphan
`);
    assert.deepEqual(
      rows.map(({ pid, sid }) => [pid, sid]),
      [
        [1, 1],
        [500, 500],
        [501, 500],
        [502, 500],
        [510, 510],
        [520, 501],
      ],
    );
    assert.deepEqual(rows[3], {
      pid: 502,
      ppid: 501,
      pgid: 501,
      sid: 500,
      foregroundPgid: 501,
      startTime: 'Fri Nov 20 10:11:13 2026',
      command: 'sleep 200 (child) of sleep',
    });
  });
});
