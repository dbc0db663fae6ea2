import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import { pathToFileURL } from 'node:url';

import type { RawClient } from '../server/rawClient.js';
import { webSocketClient } from '../server/program.js';
import { type RunningServer, startOwnServer } from '../support/execServer.js';
import { describeOnLinux } from '../support/onLinux.js';
import { peakMiB } from './attacks/leftovers.js';

const CLIENTS = 48;
/** The last few of these readers stay, and read in the end. */
const READERS = 4;
const FILE_BYTES = 4 * 1024 * 1024;
/** As many as one client may have on the way. */
const FILES_OF_EACH = 4;
/** All answers together have a gibibyte. */
const MOST_MIB = 700;
/** The size of an answer that waits for no other client. */
const ORDINARY_BYTES = 1024 * 1024;
/** Requests of another client, during which the server has time enough for all that it may make for the others. */
const OTHERS = 20;

describeOnLinux('Many clients that ask for files and read none of them @all', () => {
  let server: RunningServer;
  beforeEach(async () => {
    server = await startOwnServer();
  });
  afterEach(() => server.stop());

  const fileOf = (name: string, bytes: number) => {
    const file = path.join(server.folder, name);
    fs.writeFileSync(file, Buffer.alloc(bytes, name));
    return { path: pathToFileURL(file).href };
  };

  it('cost the server bounded memory together, others are answered, and those who stay get their own', async function () {
    this.timeout(120_000);
    const large = fileOf('large', FILE_BYTES);
    const ordinary = fileOf('ordinary', ORDINARY_BYTES);
    const other = await greeted(server.url);
    const greedy: Greedy[] = [];
    for (let count = 0; count < CLIENTS; count += 1) greedy.push(await askForAll(server.url, large));
    for (let count = 0; count < OTHERS; count += 1) {
      const { dataBase64 } = await other.request('fs/readFile', ordinary);
      assert.equal(Buffer.from(String(dataBase64), 'base64').length, ORDINARY_BYTES);
    }
    const readers = greedy.slice(-READERS);
    for (const { client } of readers) client.transport.setPaused(false);
    for (const { client } of greedy.slice(0, -READERS)) client.transport.destroy('has left');
    await Promise.all(readers.map(({ all }) => all));
    const peak = peakMiB(server.pid);
    assert.ok(peak < MOST_MIB, `${peak} MiB`);
  });
});

interface Greedy {
  readonly client: RawClient;
  /** Resolves once the client has all its answers. */
  readonly all: Promise<void>;
}

async function greeted(url: string): Promise<RawClient> {
  const client = await webSocketClient(url);
  await client.handshake();
  return client;
}

async function askForAll(url: string, params: object): Promise<Greedy> {
  const client = await greeted(url);
  const all = new Promise<void>((resolve, reject) => {
    let answers = 0;
    client.transport.onMessage = () => {
      answers += 1;
      if (answers === FILES_OF_EACH) resolve();
    };
    client.transport.onEnd(({ reason }) => reject(new Error(reason)));
  });
  all.catch(() => undefined); // Most leave without them.
  client.transport.setPaused(true);
  for (let id = 0; id < FILES_OF_EACH; id += 1) client.send({ id, method: 'fs/readFile', params });
  return { client, all };
}
