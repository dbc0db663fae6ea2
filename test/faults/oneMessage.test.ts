import assert from 'node:assert/strict';

import { usePrograms, webSocketClient } from '../server/program.js';
import { type RawClient, startParams } from '../server/rawClient.js';

const MANY = 30_000;

const ALL = { inherit: 'all', ignoreDefaultExcludes: true, exclude: [], set: {}, includeOnly: [] };

const numbered = (count: number, name = 'NAME') =>
  Object.fromEntries(Array.from({ length: count }, (_, index) => [`${name}_${index}`, '1']));

type Message = readonly [name: string, method: string, params: () => object];

const start = (some: object) => startParams('p', ['true'], some);

/** Small messages that ask for much. */
const messages: readonly Message[] = [
  [
    'a pattern of many stars',
    'process/start',
    () =>
      start({ envPolicy: { ...ALL, set: { ['a'.repeat(60)]: '1' }, includeOnly: [`${'*a'.repeat(15)}b`] } }),
  ],
  [
    'many patterns for many variables',
    'process/start',
    () => start({ envPolicy: { ...ALL, set: numbered(MANY), includeOnly: Object.keys(numbered(MANY)) } }),
  ],
  [
    'many variables over as many',
    'process/start',
    () => start({ env: numbered(MANY, 'OTHER'), envPolicy: { ...ALL, set: numbered(MANY) } }),
  ],
  [
    'many headers of one name',
    'http/request',
    () => ({
      requestId: 'r',
      method: 'GET',
      url: 'http://127.0.0.1:1/',
      headers: Array.from({ length: MANY }, () => ({ name: 'x-one', value: 'v' })),
    }),
  ],
];

describe('One message that asks for much @all', () => {
  const program = usePrograms();

  const connect = async (url: string): Promise<RawClient> => {
    const client = await webSocketClient(url);
    await client.handshake();
    return client;
  };

  for (const [name, method, params] of messages) {
    it(`leaves the server to others, and to the signal that ends it: ${name}`, async () => {
      const server = program.run(['--listen', 'ws://127.0.0.1:0']);
      const url = await server.ready;
      const [one, other] = [await connect(url), await connect(url)];
      // Sent before the other client asks, so that the server has to deal with it first.
      await one.request('environment/status', {});
      one.send({ id: 'much', method, params: params() });
      await one.until((message) => 'id' in message && message.id === 'much');
      await other.request('environment/status', {});
      server.kill('SIGTERM');
      assert.equal(await server.ended, 0);
    });
  }
});
