import assert from 'node:assert/strict';

import { exec, execInBackground, poll, resultOf, sessionOf } from './calls.js';
import { interopServers, useServer } from './servers.js';

const ours = interopServers.filter((kind) => kind.ours);

for (const kind of ours) {
  describe(`${kind.name}: a server that is told to end under the real client`, () => {
    const bench = useServer(kind);

    it('tells it the ends of what ran, and the next call works on the next server', async () => {
      const cable = await bench.openCable();
      const { outputs } = await bench.run([
        [execInBackground('ended', `echo "$MARK"; ${bench.tell('running')}; exec sleep 4243`)],
        async (seen) => {
          await bench.untilThere('running');
          const { pid } = bench.server;
          cable.target = (await bench.startServer()).port;
          process.kill(pid, 'SIGTERM');
          return [poll(sessionOf(seen, 'ended'), 'poll')];
        },
        async () => {
          // The client does not repeat an earlier start until it has learned that its session is gone.
          await bench.until(() => cable.opened > 1 && cable.connections === 0);
          return [exec('next', 'echo "$MARK"; exit 2')];
        },
      ]);
      assert.equal(resultOf(outputs, 'poll').exitCode, 137);
      assert.equal(resultOf(outputs, 'next').exitCode, 2);
    });
  });
}
