import assert from 'node:assert/strict';
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';

import { OneProcess } from '../../../src/local/stop/posixSession.js';
import { startTimeOf } from '../../../src/local/marks/processTable.js';
import { onLinux } from '../../support/onLinux.js';

describe('One process as the target of a stop', () => {
  let child: ChildProcess;
  let pid: number;

  beforeEach(() => {
    child = spawn('sleep', ['1000'], { detached: true, stdio: 'ignore' });
    pid = child.pid ?? assert.fail('not started');
  });

  afterEach(() => child.kill('SIGKILL'));

  onLinux('is signalled', async () => {
    const target = new OneProcess({ pid, startTime: startTimeOf(pid) ?? '' });
    assert.deepEqual(
      (await target.look()).members.map((member) => member.pid),
      [pid],
    );
    const exited = once(child, 'exit');
    await target.send('terminate');
    assert.deepEqual(await exited, [null, 'SIGTERM']);
    assert.deepEqual([(await target.look()).members, target.hasExited()], [[], true]);
  });

  onLinux('is left alone if its number belongs to another process by now', async () => {
    const target = new OneProcess({ pid, startTime: String(Number(startTimeOf(pid)) - 1) });
    await target.send('kill');
    assert.deepEqual([(await target.look()).members, target.hasExited()], [[], true]);
    // Signals arrive in the order in which they were sent: a kill would have come first.
    const exited = once(child, 'exit');
    child.kill('SIGTERM');
    assert.deepEqual(await exited, [null, 'SIGTERM']);
  });
});
