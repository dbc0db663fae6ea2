import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { pathToFileURL } from 'node:url';

import type { RawClient } from '../../server/rawClient.js';
import { webSocketClient } from '../../server/program.js';
import { startOwnServer } from '../../support/execServer.js';
import { type Attack, inTime, Tally } from './attack.js';

/** Reading some of these waits for something that never comes, and some never end. */
const ENDLESS = [
  '/proc/kmsg',
  '/dev/zero',
  '/dev/random',
  '/dev/tty',
  '/dev/ptmx',
  '/proc/self/mem',
  '/proc/kcore',
];
/** More than there are threads for files. */
const TIMES = 6;

/** Files that block or never end, links to themselves, and directories full of links. */
export const awkwardFiles: Attack = {
  name: 'Files that block, never end or lead in circles',
  unit: 'links',
  amount: { short: 500, long: 100_000 },
  async run(amount) {
    const tally = new Tally();
    const server = await startOwnServer();
    try {
      const { folder } = server;
      const fifo = path.join(folder, 'fifo');
      spawnSync('mkfifo', [fifo]);
      const circle = path.join(folder, 'circle');
      fs.symlinkSync(circle, circle);
      const links = path.join(folder, 'links');
      fs.mkdirSync(links);
      for (let count = 0; count < amount; count += 1) {
        fs.symlinkSync(count % 2 === 0 ? '..' : circle, path.join(links, String(count)));
      }
      const client = await webSocketClient(server.url);
      await client.handshake();
      const witness = await webSocketClient(server.url);
      await witness.handshake();
      const asked = [...ENDLESS, fifo, circle]
        .flatMap((file) => wishes(file, folder))
        .map((wish) => ask(client, wish));
      await looks(witness, folder, tally);
      if ((await inTime(Promise.all(asked))) === undefined) tally.fault('a request was never answered');
      tally.count('requests', asked.length);
      await look(client, links, tally);
      await looks(witness, folder, tally);
      await client.request('fs/remove', { path: uri(links), recursive: true });
      if (fs.existsSync(links)) tally.fault('the links are still there');
      if (!fs.existsSync(fifo)) tally.fault('what the links lead to is gone');
    } finally {
      await server.stop();
    }
    return tally;
  },
};

interface Wish {
  readonly method: string;
  readonly params: object;
}

function wishes(file: string, folder: string): readonly Wish[] {
  const target = uri(path.join(folder, 'copied'));
  return Array.from({ length: TIMES }, (_, time) => [
    { method: 'fs/readFile', params: { path: uri(file) } },
    { method: 'fs/readFile', params: { path: uri(file), followSymlinks: false } },
    {
      method: 'fs/copy',
      params: { sourcePath: uri(file), destinationPath: `${target}${time}`, recursive: false },
    },
    { method: 'fs/getMetadata', params: { path: uri(file) } },
  ]).flat();
}

function ask(client: RawClient, { method, params }: Wish): Promise<unknown> {
  return client.ask(method, params);
}

/** Another client works with files meanwhile. */
async function looks(witness: RawClient, folder: string, tally: Tally): Promise<void> {
  const work = async () => {
    const file = uri(path.join(folder, 'other'));
    await witness.request('fs/writeFile', { path: file, dataBase64: 'b2s=' });
    const { dataBase64 } = await witness.request('fs/readFile', { path: file });
    return dataBase64 === 'b2s=';
  };
  if ((await inTime(work()))?.value !== true) tally.fault('another client cannot use files');
}

/** Each link to a directory is listed as one, and those in circles lead nowhere. */
async function look(client: RawClient, links: string, tally: Tally): Promise<void> {
  const listed = await inTime(client.request('fs/readDirectory', { path: uri(links) }));
  const entries = listed?.value['entries'] as readonly unknown[] | undefined;
  const expected = Math.ceil(fs.readdirSync(links).length / 2);
  if (entries?.length !== expected)
    tally.fault(`${entries?.length ?? 'no'} links are listed, not ${expected}`);
  tally.count('links listed', entries?.length ?? 0);
}

function uri(file: string): string {
  return pathToFileURL(file).href;
}
