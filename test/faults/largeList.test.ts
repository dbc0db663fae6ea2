import assert from 'node:assert/strict';

import { RemoteBackend, webSocketConnector } from '../../src/remote/index.js';
import { webSocketClient } from '../server/program.js';
import type { RawClient } from '../server/rawClient.js';
import { type RunningServer, startOwnServer } from '../support/execServer.js';
import { params } from '../support/startParams.js';

/** So many processes with notes of this size are more than the 64 MiB that a message may have. */
const PROCESSES = 17;
const NOTE = 'n'.repeat(4_000_000);

const names = Array.from({ length: PROCESSES }, (_, index) => `p${index}`);

describe('A list of processes that is larger than a message may be @all', () => {
  let server: RunningServer;

  before(async () => {
    server = await startOwnServer();
  });
  after(() => server.stop());

  it('is refused as a whole, is there in pages, and ends nobody’s connection', async () => {
    const client = await webSocketClient(server.url);
    await client.handshake();
    for (const name of names) {
      await client.start(name, ['sleep', '1000'], { clientMetadata: { note: NOTE } });
    }
    assert.deepEqual(await client.refused('process/list', {}), [
      -32603,
      'the list of processes is larger than 67043328 bytes, ask for it in pages',
    ]);
    const pages = await pagesOf(client);
    assert.ok(pages.every((page) => page.length <= 2));
    assert.deepEqual(pages.flat(), names);
    assert.deepEqual(
      await client.refused('process/start', { ...start, clientMetadata: { note: NOTE + NOTE } }),
      [-32602, '"clientMetadata" is too large: it may have 4194304 characters at most'],
    );
    assert.equal(client.transport.end, undefined);
    client.transport.close();
  });

  it('is listed by our client, over one and the same connection', async () => {
    const backend = await RemoteBackend.connect({
      connector: webSocketConnector({ url: server.url }),
      clientName: 'test',
    });
    const states: string[] = [];
    backend.onDidChangeConnection(({ kind }) => states.push(kind));
    const some = { argv: ['sleep', '1000'], metadata: { note: NOTE } };
    for (const processId of names) {
      await backend.start(params({ processId, ...some }));
    }
    assert.deepEqual(
      (await backend.list()).map(({ processId }) => processId),
      names,
    );
    assert.deepEqual(states, []);
    await backend.shutdown({ graceMs: { interrupt: 0, hangup: 0, terminate: 0 } });
  });
});

const start = { processId: 'p', argv: ['true'], cwd: 'file:///', env: {}, tty: false };

async function pagesOf(client: RawClient): Promise<string[][]> {
  const pages: string[][] = [];
  for (let after: unknown = ''; after !== undefined;) {
    const { processes, next } = await client.request('process/listPage', { after });
    pages.push((processes as { readonly processId: string }[]).map(({ processId }) => processId));
    after = next;
  }
  return pages;
}
