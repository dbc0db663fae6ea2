import assert from 'node:assert/strict';

import { exec, resultOf } from './calls.js';
import { interopServers, useServer } from './servers.js';

for (const kind of interopServers) {
  describe(`${kind.name}: a half-open connection of the real client`, () => {
    const bench = useServer(kind);
    const command =
      'echo "$MARK"; touch running; until [ -e go ]; do sleep 0.02; done; seq 1000; touch printed';
    const numbers = Array.from({ length: 1_000 }, (_, index) => `${index + 1}\n`).join('');

    it('through which bytes come again goes on', async () => {
      const cable = await bench.openCable();
      const run = bench.run([[exec('command', command)]]);
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

    it('in which the server goes on believing is made anew once it does not', async () => {
      const cable = await bench.openCable();
      // The program may run before the client has the answer to its start; a start that has no answer is not resumed.
      const started = cable.untilPassed('"process/output"', 'toClient');
      let done = false;
      const run = bench.run([[exec('command', command)]]).finally(() => (done = true));
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
  });
}
