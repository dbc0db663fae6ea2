import assert from 'node:assert/strict';
import { createHash, randomBytes } from 'node:crypto';

import { exec, outputOf, resultOf } from './calls.js';
import { interopServers, useServer } from './servers.js';

for (const kind of interopServers) {
  describe(`${kind.name}: a server with a token for the real client`, () => {
    const token = randomBytes(24).toString('base64url');
    const sha256 = createHash('sha256').update(token).digest('hex');
    const bench = useServer(kind, { args: ['--ws-auth', 'capability-token', '--ws-token-sha256', sha256] });

    it('runs commands for a client with the token, also after a lost connection', async () => {
      const cable = await bench.openCable();
      const { outputs } = await bench.runIn({ url: cable.url, token }, [
        [exec('before', 'echo "$MARK"')],
        () => {
          cable.cut();
          return [exec('after', 'echo "$MARK"')];
        },
      ]);
      for (const id of ['before', 'after']) assert.equal(resultOf(outputs, id).output, `${bench.mark}\n`);
    });

    it('is not an environment for a client with another token', async () => {
      const { outputs } = await bench.runIn({ url: bench.server.url, token: `${token}x` }, [
        [exec('refused', 'echo "$MARK"')],
      ]);
      assert.match(outputOf(outputs, 'refused').text, /No usable execution environment/);
      assert.doesNotMatch(outputOf(outputs, 'refused').text, new RegExp(bench.mark));
    });
  });
}
