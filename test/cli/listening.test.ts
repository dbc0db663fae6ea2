import assert from 'node:assert/strict';

import { systemClock } from '../../src/core/index.js';
import { untilListening } from '../../src/cli/sessions/listening.js';
import { useMachine } from '../server/machine/machineFixture.js';

describe('waiting until a session listens', () => {
  const machine = useMachine();

  for (const [title, port] of [
    ['any port', undefined],
    ['one port @all', 4999],
  ] as const) {
    it(`says that the server was lost, for ${title}`, async () => {
      const connected = await machine.connect();
      assert.ok(connected);
      const process = await connected.backend.start({
        processId: 'it',
        argv: ['sleep', '1000'],
        cwd: machine.folder,
        env: machine.env,
        tty: false,
        owned: true,
      });
      const waiting = untilListening(systemClock, process, port, new AbortController().signal);
      const [server] = await machine.servers();
      assert.ok(server);
      globalThis.process.kill(server, 'SIGKILL');
      await assert.rejects(waiting, /connection to the exec-server was lost/);
      process.release();
    });
  }
});
