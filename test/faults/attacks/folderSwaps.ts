import { spawn } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';

import { webSocketClient } from '../../server/program.js';
import { base64 } from '../../server/rawClient.js';
import { startOwnServer } from '../../support/execServer.js';
import { until } from '../../support/until.js';
import { Random } from '../../support/random.js';
import { type Attack, inTime, Tally } from './attack.js';

const AT_ONCE = 8;
const SECRET = 'the precious content';

/** Makes a folder a link to another one and back, as fast as it can. */
const SWAPPER = `
  const fs = require('node:fs');
  for (;;) {
    fs.renameSync('folder', 'aside');
    fs.symlinkSync('precious', 'folder');
    fs.unlinkSync('folder');
    fs.renameSync('aside', 'folder');
  }`;

/** A folder becomes a link while files in it are written, read and removed by requests that follow no links. */
export const folderSwaps: Attack = {
  name: 'A folder becomes a link under requests that follow none',
  unit: 'requests',
  amount: { short: 400, long: 9_000 },
  async run(amount, seed) {
    const tally = new Tally();
    const random = new Random(seed);
    const server = await startOwnServer();
    const root = path.join(server.folder, 'race');
    const precious = path.join(root, 'precious');
    fs.mkdirSync(path.join(root, 'folder'), { recursive: true });
    fs.mkdirSync(precious);
    fs.writeFileSync(path.join(precious, 'file'), SECRET);
    const swapper = spawn(process.execPath, ['-e', SWAPPER], { cwd: root, stdio: 'ignore' });
    try {
      await until(() => isLink(path.join(root, 'folder')));
      const client = await webSocketClient(server.url);
      await client.handshake();
      const file = `file://${root}/folder/file`;
      const some = { path: file, followSymlinks: false };
      for (let count = 0; count < amount; count += AT_ONCE) {
        const requests = Array.from({ length: AT_ONCE }, () => {
          const [method, params] = random.of<readonly [string, object]>([
            ['fs/writeFile', { ...some, dataBase64: base64('overwritten') }],
            ['fs/readFile', some],
            ['fs/getMetadata', some],
            ['fs/remove', { ...some, recursive: false, force: true }],
            ['fs/createDirectory', { path: `file://${root}/folder/made`, followSymlinks: false }],
          ]);
          return client.ask(method, params);
        });
        const answers = await inTime(Promise.all(requests));
        if (answers === undefined) {
          tally.fault('a request was not answered');
          break;
        }
        for (const { result, error } of answers.value) {
          tally.count(error === undefined ? 'went through' : 'refused');
          if (JSON.stringify(result ?? '').includes(base64(SECRET)))
            tally.fault('a file was read over a link');
        }
      }
      const there = fs.readdirSync(precious);
      if (there.join() !== 'file') tally.fault(`in the other folder: ${there.join()}`);
      else if (fs.readFileSync(path.join(precious, 'file'), 'utf8') !== SECRET)
        tally.fault('a file was written over a link');
    } finally {
      swapper.kill('SIGKILL');
      await server.stop();
    }
    return tally;
  },
};

function isLink(file: string): boolean {
  return fs.lstatSync(file, { throwIfNoEntry: false })?.isSymbolicLink() === true;
}
