import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import { pathToFileURL } from 'node:url';

import { webSocketClient } from '../server/program.js';
import { startOwnServer } from '../support/execServer.js';
import { describeOnLinux } from '../support/onLinux.js';
import { peakMiB } from './attacks/leftovers.js';

const FILES = 20_000;
const REQUESTS = 400;
/** All answers together have half as much again. Memory of answers that are sent waits to be collected. */
const MOST_MIB = 400;
/** Requests of another client, during which the server has time enough for all those of the first one. */
const OTHERS = 10;

describeOnLinux('A client that asks for many large listings and reads none @all', () => {
  it('costs the server bounded memory, gets all of them once it reads, and others are answered', async function () {
    const server = await startOwnServer();
    try {
      const folder = path.join(server.folder, 'many');
      fs.mkdirSync(folder);
      for (let file = 0; file < FILES; file += 1) {
        fs.writeFileSync(path.join(folder, `a file with a longer name, number ${file}`), '');
      }
      const params = { path: pathToFileURL(folder).href };
      const greedy = await webSocketClient(server.url);
      await greedy.handshake();
      let answers = 0;
      const all = new Promise<void>((resolve) => {
        greedy.transport.onMessage = () => {
          answers += 1;
          if (answers === REQUESTS) {
            resolve();
          }
        };
      });
      greedy.transport.setPaused(true);
      for (let id = 0; id < REQUESTS; id += 1) {
        greedy.send({ id, method: 'fs/readDirectory', params });
      }
      const other = await webSocketClient(server.url);
      await other.handshake();
      for (let count = 0; count < OTHERS; count += 1) {
        const { entries } = await other.request('fs/readDirectory', params);
        assert.equal((entries as readonly unknown[]).length, FILES);
      }
      greedy.transport.setPaused(false);
      await all;
      const peak = peakMiB(server.pid);
      assert.ok(peak < MOST_MIB, `${peak} MiB`);
    } finally {
      await server.stop();
    }
  });
});
