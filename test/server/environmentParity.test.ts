import assert from 'node:assert/strict';
import { isDeepStrictEqual } from 'node:util';

import { findUserShell } from '../../src/local/index.js';
import { environmentInfo, environmentMethods } from '../../src/server/methods/environment.js';
import { describeOnLinux } from '../support/onLinux.js';
import { useServer } from './inProcess.js';
import type { RawClient } from './rawClient.js';
import { assertAlike, useRecording, withoutOwnWords, type Exchange } from './realClient.js';

const hostEnv = { TMPDIR: '/var/tmp' };

/** The description of an environment, without what differs from machine to machine where that is right. */
function described(info: Readonly<Record<string, unknown>>, cwd: string): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(info).map(([name, value]) => {
      if (name === 'shell' && isDeepStrictEqual(value, findUserShell(hostEnv))) return [name, 'of the user'];
      if (name === 'cwd' && value === `file://${cwd}`) return [name, 'of the server'];
      const own = ['executorVersion', 'prependPathDirs', 'providerId', 'tempDir', 'userHomeDir'].includes(
        name,
      );
      return [name, own ? typeof value : value];
    }),
  );
}

async function statuses(client: RawClient): Promise<Exchange[]> {
  const exchanges: Exchange[] = [];
  for (const params of [null, {}, { a: 1 }]) {
    const { result, error } = await client.ask('environment/status', params);
    exchanges.push([JSON.stringify(params), { result, error: error && withoutOwnWords(error) }]);
  }
  return exchanges;
}

const recorded = useRecording(
  'environment',
  ['environment/info', 'environment/status'],
  async ({ client, server }, topic) =>
    topic === 'environment/status'
      ? statuses(client)
      : [['{}', described(await client.request(topic), server.folder)]],
  { env: hostEnv },
);

describeOnLinux('The environments of our server and of the real one', () => {
  const server = useServer({ methods: environmentMethods });

  it('are told alike', () => {
    const [[, answer] = []] = recorded('environment/info');
    const theirs = answer as Readonly<Record<string, unknown>>;
    const ours = described({ ...environmentInfo({ hostEnv, cwd: '/some/where' }) }, '/some/where');
    for (const name of ['shell', 'cwd', 'platformOs', 'temporaryDirectories']) {
      assert.deepEqual(ours[name], theirs[name], name);
    }
    const known = Object.keys(theirs['capabilities'] ?? {});
    assert.ok(Object.keys(ours['capabilities'] ?? {}).every((name) => known.includes(name)));
    const members = Object.keys(ours).filter((name) => !(name in theirs));
    assert.deepEqual(members, []);
  });

  it('are ready alike', async () => {
    assertAlike(await statuses(await server.client()), recorded('environment/status'));
  });
});
