import assert from 'node:assert/strict';

import { exec, execInBackground, poll, resultOf, sessionOf } from './calls.js';
import { interopServers, useServer } from './servers.js';

/** The first two bytes of a client's answer to a ping without content; the mask follows. */
const PONG = '\x8a\x80';

for (const kind of interopServers) {
  describe(`${kind.name}: a half-open connection of the real client`, () => {
    const bench = useServer(kind);
    const command = () =>
      `echo "$MARK"; ${bench.tell('running')}; until [ -e go ]; do sleep 0.02; done; seq 1000; ${bench.tell('printed')}`;
    const numbers = Array.from({ length: 1_000 }, (_, index) => `${index + 1}\n`).join('');

    it('goes on when bytes come through again', async () => {
      const cable = await bench.openCable();
      const run = bench.run([[exec('command', command())]]);
      const faults = async () => {
        await bench.untilThere('running');
        cable.block();
        bench.put('go');
        await bench.untilThere('printed');
        cable.unblock();
      };
      const [{ outputs }] = await Promise.all([run, faults()]);
      assert.deepEqual(resultOf(outputs, 'command'), {
        exitCode: 0,
        sessionId: undefined,
        output: `${bench.mark}\n${numbers}`,
      });
      assert.equal(cable.opened, 1);
    });

    it('is renewed once the server gives it up', async () => {
      const cable = await bench.openCable();
      // The program may run before the client has the answer to its start; a start that has no answer is not resumed.
      const started = cable.untilPassed('"process/output"', 'toClient');
      let done = false;
      const run = bench.run([[exec('command', command())]]).finally(() => (done = true));
      const faults = async () => {
        await bench.untilThere('running');
        await started;
        cable.cut('client');
        bench.put('go');
        await bench.untilThere('printed');
        // The client tries again and again and is refused, because its session has a connection. A server that takes
        // the session away from that connection at once is right as well.
        await bench.until(() => cable.opened > 3 || done);
        cable.cut('server');
      };
      const [{ outputs }] = await Promise.all([run, faults()]);
      assert.deepEqual(resultOf(outputs, 'command'), {
        exitCode: 0,
        sessionId: undefined,
        output: `${bench.mark}\n${numbers}`,
      });
    });

    // The real server never notices that answers to its pings are missing.
    if (kind.ours === true) {
      it('is made anew by itself when the client falls silent right after an answer to a ping @long', async function () {
        const cable = await bench.openCable();
        const started = cable.untilPassed('"process/output"', 'toClient');
        // The client's first call returns after 30 seconds, however long it is told to wait.
        const run = bench.run([
          [execInBackground('command', command())],
          (outputs) => [poll(sessionOf(outputs, 'command'), 'rest')],
        ]);
        const faults = async () => {
          await bench.untilThere('running');
          await started;
          await cable.untilPassed(PONG, 'toServer');
          cable.cut('client');
          bench.put('go');
        };
        const [{ outputs }] = await Promise.all([run, faults()]);
        const { exitCode, output } = resultOf(outputs, 'rest');
        assert.equal(exitCode, 0);
        assert.equal(resultOf(outputs, 'command').output + output, `${bench.mark}\n${numbers}`);
      });
    }
  });
}
