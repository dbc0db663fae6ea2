import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import fs from 'node:fs';
import path from 'node:path';
import { pathToFileURL } from 'node:url';

import type { RawClient } from '../server/rawClient.js';
import { webSocketClient } from '../server/program.js';
import { type RunningServer, startOwnServer } from '../support/execServer.js';
import { describeOnLinux } from '../support/onLinux.js';

const LEVELS = 40;
const FILES_OF_EACH = 10;
const ROUNDS = 5;
/** Makes files and directories in every directory that is left, until it is ended. */
const WRITER = `
  const fs = require('node:fs');
  const tryTo = (make) => { try { make(); } catch {} };
  const levels = process.argv.slice(1);
  for (let count = 0; ; count += 1) {
    const level = levels[count % levels.length];
    tryTo(() => fs.writeFileSync(level + '/late ' + count, ''));
    tryTo(() => fs.mkdirSync(level + '/later ' + count));
    if (count === levels.length) console.log('writing');
  }`;

describeOnLinux('A deep directory that is removed while others work in it @all', () => {
  let server: RunningServer;
  let client: RawClient;
  beforeEach(async () => {
    server = await startOwnServer();
    client = await connect();
  });
  afterEach(() => server.stop());

  const connect = async () => {
    const connected = await webSocketClient(server.url);
    await connected.handshake();
    return connected;
  };

  /** @returns the directories, the uppermost first. */
  const makeTree = (name: string): readonly [string, ...string[]] => {
    const top = path.join(server.folder, name);
    const levels: [string, ...string[]] = [top];
    for (let level = 1; level < LEVELS; level += 1) levels.push(path.join(levels.at(-1) ?? top, 'd'));
    fs.mkdirSync(levels.at(-1) ?? top, { recursive: true });
    for (const level of levels) {
      for (let file = 0; file < FILES_OF_EACH; file += 1) fs.writeFileSync(path.join(level, `f${file}`), '');
    }
    return levels;
  };

  it('is gone, or the client is told that it is not empty, and removed once they have ended', async () => {
    for (let round = 0; round < ROUNDS; round += 1) {
      const levels = makeTree(`round ${round}`);
      const [top] = levels;
      const params = { path: pathToFileURL(top).href };
      const writer = spawn(process.execPath, ['-e', WRITER, ...levels]);
      try {
        await once(writer.stdout, 'data');
        const { error } = await client.ask('fs/remove', params);
        if (error !== undefined) assert.match(error.message, /Directory not empty/);
        assert.equal(fs.existsSync(top), error !== undefined);
      } finally {
        writer.kill('SIGKILL');
        await once(writer, 'exit');
      }
      await client.request('fs/remove', params);
      assert.ok(!fs.existsSync(top));
    }
  });

  it('is gone for each of two clients that remove it', async () => {
    const other = await connect();
    for (let round = 0; round < ROUNDS; round += 1) {
      const [top] = makeTree(`round ${round}`);
      const params = { path: pathToFileURL(top).href };
      await Promise.all(
        [client, other].map(async (each) => {
          await each.request('fs/remove', params);
          assert.ok(!fs.existsSync(top), 'a removal has ended before there was nothing left');
        }),
      );
    }
  });
});
