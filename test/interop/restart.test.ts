import assert from 'node:assert/strict';

import { exec, execInBackground, outputOf, poll, resultOf, sessionOf } from './calls.js';
import { interopServers, useServer } from './servers.js';

for (const kind of interopServers) {
  describe(`${kind.name}: a server that is started anew under the real client`, () => {
    const bench = useServer(kind);

    it('does not know the session: what ran has failed, and the next call works', async () => {
      const cable = await bench.openCable();
      const { outputs } = await bench.run([
        [execInBackground('lost', `echo "$MARK"; ${bench.tell('running')}; exec sleep 4243`)],
        async (seen) => {
          await bench.untilThere('running');
          cable.target = (await bench.startServer()).port;
          await bench.server.kill();
          return [poll(sessionOf(seen, 'lost'), 'poll')];
        },
        [exec('next', 'echo "$MARK"; exit 2')],
      ]);
      assert.match(outputOf(outputs, 'poll').text, /failed.*unknown session id/);
      assert.deepEqual(resultOf(outputs, 'next'), {
        exitCode: 2,
        sessionId: undefined,
        output: `${bench.mark}\n`,
      });
    });
  });
}
