import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';

import { bootId, membersOfSessions, processNamespace } from '../../../../src/local/index.js';
import { onLinux } from '../../../support/onLinux.js';

describe('The members of sessions', () => {
  onLinux('are processes with a mark of an ended server, but not with one of an earlier boot', async () => {
    const processes = [bootId(), randomUUID()].map((boot) =>
      spawn('sleep', ['1000'], {
        env: { ...process.env, EXEC_SESSION_ID: `x/1@1.1.${boot}.${processNamespace()}` },
        stdio: 'ignore',
      }),
    );
    try {
      const pids = processes.map(({ pid }) => pid);
      const found = (await membersOfSessions()).filter(({ pid }) => pids.includes(pid));
      assert.deepEqual(
        found.map(({ pid, serverEnded }) => [pid, serverEnded]),
        [[pids[0], true]],
      );
    } finally {
      processes.forEach((one) => one.kill('SIGKILL'));
    }
  });
});
