import assert from 'node:assert/strict';

import { environmentInfo, environmentMethods } from '../../src/server/methods/environment.js';
import { useServer } from './inProcess.js';
import { useRealServer, withoutOwnWords } from './realClient.js';

describe('The environments of our server and of the real one', () => {
  const server = useServer({ methods: environmentMethods });
  const real = useRealServer({ env: { TMPDIR: '/var/tmp' } });

  it('are told alike', async () => {
    const theirs = await real.client.request('environment/info');
    const ours = environmentInfo({ hostEnv: { TMPDIR: '/var/tmp' }, cwd: real.server.folder });
    for (const name of ['shell', 'cwd', 'platformOs', 'temporaryDirectories'] as const) {
      assert.deepEqual(ours[name], theirs[name], name);
    }
    const known = Object.keys(theirs['capabilities'] ?? {});
    assert.ok(Object.keys(ours.capabilities ?? {}).every((name) => known.includes(name)));
    const members = Object.keys(ours).filter((name) => !(name in theirs));
    assert.deepEqual(members, []);
  });

  it('are ready alike', async () => {
    const client = await server.client();
    for (const params of [null, {}, { a: 1 }]) {
      const answers = await Promise.all(
        [client, real.client].map(async (one) => {
          const { result, error } = await one.ask('environment/status', params);
          return { result, error: error && withoutOwnWords(error) };
        }),
      );
      assert.deepEqual(answers[0], answers[1]);
    }
  });
});
