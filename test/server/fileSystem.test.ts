import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';

import { requests } from '../../src/protocol/index.js';
import { MAX_READ_FILE_BYTES } from '../../src/server/methods/fileSystem/limits.js';
import { makeTree, type Tree } from './fileSystemTree.js';
import { fileMethods, useServer } from './inProcess.js';
import { base64, type RawClient } from './rawClient.js';
import { codexSandbox } from '../support/codexSandbox.js';
import { onLinux } from '../support/onLinux.js';

const MIB = 1024 * 1024;
/** The memory for the other client and two large answers with all garbage: far less than for all answers. */
const MEMORY_BYTES = 650 * MIB;

describe('Our file methods', () => {
  const server = useServer({ methods: fileMethods });
  let tree: Tree;
  let client: RawClient;
  beforeEach(async () => {
    tree = makeTree();
    client = await server.client();
  });
  afterEach(() => tree.remove());
  const uri = (name: string) => `${tree.uri}/${name}`;

  it('are all methods of the family', () => {
    const family = Object.keys(requests).filter((name) => name.startsWith('fs/'));
    assert.deepEqual(Object.keys(fileMethods).sort(), family.sort());
  });

  it('refuse methods that only other servers have', async () => {
    for (const method of [
      'fs/watchMissing',
      'fs/rename',
      'environmentConfig/read',
      'capabilityRoots/discoverV1',
    ]) {
      assert.deepEqual(await client.refused(method, {}), [-32601, `this server has no method "${method}"`]);
    }
  });

  it('refuse a sandbox that cannot be had, with the reason, and do nothing', async () => {
    const path = uri('file');
    const options = {
      maxDepth: 1,
      maxDirectories: 1,
      maxEntries: 1,
      followDirectorySymlinks: true,
      pruneHiddenDirectories: true,
    };
    const before = tree.describe();
    const params: Record<string, object> = {
      'fs/readFile': { path },
      'fs/writeFile': { path, dataBase64: '' },
      'fs/createDirectory': { path: uri('new') },
      'fs/getMetadata': { path },
      'fs/canonicalize': { path },
      'fs/readDirectory': { path: tree.uri },
      'fs/walk': { path, options },
      'fs/remove': { path },
      'fs/copy': { sourcePath: path, destinationPath: uri('new'), recursive: false },
      'fs/open': { handleId: 'a', path, mode: 'replace' },
    };
    for (const [method, some] of Object.entries(params)) {
      const [code, message] = await client.refused(method, { ...some, sandbox: codexSandbox([tree.folder]) });
      assert.equal(code, -32602, method);
      assert.match(message, /cannot enforce `sandbox`: bubblewrap is not installed.*nothing was done/);
    }
    assert.deepEqual(tree.describe(), before);
    // The real client always states that it wants no sandbox.
    await client.request('fs/getMetadata', { path, sandbox: null });
  });

  it('read files that do not say how large they are', async () => {
    const { dataBase64 } = await client.request('fs/readFile', { path: 'file:///proc/self/status' });
    assert.match(
      Buffer.from(String(dataBase64), 'base64').toString(),
      new RegExp(`Pid:\\s+${process.pid}\\n`),
    );
  });

  it('read and write large files whole', async () => {
    const data = Buffer.alloc(20 * MIB, 'ab\0\xff', 'latin1');
    await client.request('fs/writeFile', { path: uri('large'), dataBase64: data.toString('base64') });
    const { dataBase64 } = await client.request('fs/readFile', { path: uri('large') });
    assert.ok(Buffer.from(String(dataBase64), 'base64').equals(data));
  });

  it('replace the content of a file in its place, whatever its size was', async () => {
    fs.linkSync(tree.path('file'), tree.path('other name'));
    const { ino, mode } = fs.statSync(tree.path('file'));
    for (const text of ['longer than before', 'shorter', 'as long', '', 'something again']) {
      await client.request('fs/writeFile', { path: uri('file'), dataBase64: base64(text) });
      assert.equal(fs.readFileSync(tree.path('other name'), 'utf8'), text);
    }
    const after = fs.statSync(tree.path('file'));
    assert.deepEqual([after.ino, after.mode], [ino, mode]);
  });

  onLinux('write files of the kernel, which take no position', async () => {
    const file = `/proc/${process.pid}/comm`;
    const before = fs.readFileSync(file, 'utf8').trimEnd();
    for (const name of ['other', before]) {
      await client.request('fs/writeFile', { path: `file://${file}`, dataBase64: base64(name) });
      assert.equal(fs.readFileSync(file, 'utf8'), `${name}\n`);
    }
  });

  it('refuse files that are too large before they read them', async () => {
    fs.truncateSync(tree.path('file'), MAX_READ_FILE_BYTES + 1);
    assert.deepEqual(await client.refused('fs/readFile', { path: uri('file') }), [
      -32600,
      `file is too large to read: limit is ${MAX_READ_FILE_BYTES} bytes`,
    ]);
  });

  it('do not wait for the other end of a pipe', async () => {
    const data = { dataBase64: base64('x') };
    assert.deepEqual(await client.refused('fs/writeFile', { path: uri('fifo'), ...data }), [
      -32603,
      'No such device or address (os error 6)',
    ]);
    const copied = { sourcePath: uri('file'), destinationPath: uri('fifo'), recursive: false };
    const [code] = await client.refused('fs/copy', copied);
    assert.equal(code, -32600);
    // A FIFO that has a reader is still no file.
    const reader = fs.openSync(tree.path('fifo'), fs.constants.O_RDONLY | fs.constants.O_NONBLOCK);
    assert.deepEqual(await client.refused('fs/writeFile', { path: uri('fifo'), ...data }), [
      -32600,
      `path \`${tree.path('fifo')}\` is not a file`,
    ]);
    fs.closeSync(reader);
  });

  onLinux('remove what is too deep for a path', async () => {
    const depth = 60;
    fs.mkdirSync(tree.path('level0'));
    for (let level = 1; level <= depth; level += 1) {
      fs.mkdirSync(tree.path(`level${level}`));
      const inner = path.join(tree.path(`level${level}`), 'd'.repeat(100));
      fs.renameSync(tree.path(`level${level - 1}`), inner);
    }
    await client.request('fs/remove', { path: uri(`level${depth}`) });
    assert.ok(!fs.existsSync(tree.path(`level${depth}`)));
  });

  it('remove directories with many files, and links rather than what they lead to', async () => {
    fs.mkdirSync(tree.path('dir/many'));
    for (let file = 0; file < 100; file += 1) fs.writeFileSync(tree.path(`dir/many/${file}`), '');
    fs.symlinkSync('../dir2', tree.path('dir/out'));
    fs.writeFileSync(tree.path('dir2/kept'), '');
    await client.request('fs/remove', { path: uri('dir') });
    assert.ok(!fs.existsSync(tree.path('dir')));
    assert.ok(fs.existsSync(tree.path('dir2/kept')));
  });

  onLinux('copy and remove names that are no text', async () => {
    const name = Buffer.from([0x61, 0xff, 0x62]);
    const within = (folder: string) => Buffer.concat([Buffer.from(`${tree.path(folder)}/`), name]);
    fs.mkdirSync(within('empty'));
    fs.writeFileSync(Buffer.concat([within('empty'), Buffer.from('/'), name]), 'content');
    fs.symlinkSync(name, within('dir2'));
    for (const folder of ['empty', 'dir2']) {
      const copied = {
        sourcePath: uri(folder),
        destinationPath: uri(`${folder}-copied`),
        recursive: true,
      };
      await client.request('fs/copy', copied);
    }
    const copy = Buffer.concat([within('empty-copied'), Buffer.from('/'), name]);
    assert.equal(fs.readFileSync(copy, 'utf8'), 'content');
    assert.deepEqual(fs.readlinkSync(within('dir2-copied'), { encoding: 'buffer' }), name);
    await client.request('fs/remove', { path: uri('empty-copied') });
    assert.ok(!fs.existsSync(tree.path('empty-copied')));
  });

  it('refuse to remove the root directory', async () => {
    assert.deepEqual(await client.refused('fs/remove', { path: 'file:///' }), [
      -32600,
      'path must name an entry',
    ]);
  });

  it('list a directory without following links if that is asked for, which the real server ignores', async () => {
    const list = (name: string) => ({ path: uri(name), followSymlinks: false });
    const { entries } = await client.request('fs/readDirectory', list('dir/sub'));
    assert.deepEqual(entries, [{ fileName: 'b', isDirectory: false, isFile: true }]);
    assert.deepEqual(await client.refused('fs/readDirectory', list('dlink')), [
      -32603,
      'Not a directory (os error 20)',
    ]);
  });

  it('tell when a file was made and changed', async () => {
    fs.utimesSync(tree.path('file'), 1, 1_000_000_000.5);
    const { createdAtMs, modifiedAtMs } = await client.request('fs/getMetadata', { path: uri('file') });
    assert.equal(modifiedAtMs, 1_000_000_000_500);
    assert.equal(createdAtMs, Math.floor(fs.statSync(tree.path('file')).birthtimeMs));
  });

  it('do what a client asks in its order, though it does not wait for answers', async () => {
    const block = Buffer.alloc(MIB, 'block');
    for (let round = 0; round < 10; round += 1) {
      const [path, handleId] = [uri(`round${round}/a/file`), `handle${round}`];
      const asked: readonly (readonly [method: string, params: object])[] = [
        ['fs/createDirectory', { path: uri(`round${round}/a`) }],
        ['fs/writeFile', { path, dataBase64: base64('one') }],
        ['fs/readFile', { path }],
        ['fs/writeFile', { path, dataBase64: base64('another') }],
        ['fs/getMetadata', { path }],
        ['fs/open', { handleId, path, mode: 'replace' }],
        ['fs/writeBlock', { handleId, offset: 0, chunk: block.toString('base64') }],
        ['fs/writeBlock', { handleId, offset: 0, chunk: base64('B') }],
        ['fs/close', { handleId }],
        ['fs/open', { handleId, path }],
        ['fs/readBlock', { handleId, offset: 0, len: 5 }],
        ['fs/close', { handleId }],
        ['fs/remove', { path: uri(`round${round}`) }],
        ['fs/readDirectory', { path: tree.uri }],
      ];
      const answers = await Promise.all(asked.map(([method, params]) => client.request(method, params)));
      assert.equal(answers[2]?.['dataBase64'], base64('one'));
      assert.equal(answers[4]?.['size'], 7);
      assert.deepEqual(answers[10], { chunk: base64('Block'), eof: false });
      assert.ok(!JSON.stringify(answers.at(-1)).includes('round'));
    }
  });

  it('hold back large answers while the client takes none, so that memory is bounded @all', async () => {
    fs.truncateSync(tree.path('file'), 8 * MIB);
    client.transport.setPaused(true);
    const { rss } = process.memoryUsage();
    for (let id = 0; id < 24; id += 1) {
      client.send({ id: `large${id}`, method: 'fs/readFile', params: { path: uri('file') } });
    }
    // Other clients are not held back, and their answers take long enough to show the memory for the first one.
    const other = await server.client();
    for (let round = 0; round < 5; round += 1) {
      await other.request('fs/readFile', { path: uri('file') });
    }
    const grown = process.memoryUsage().rss - rss;
    assert.ok(grown < MEMORY_BYTES, `${grown / MIB} MiB more`);
    client.transport.setPaused(false);
    await client.until((message) => 'id' in message && message.id === 'large23');
  });
});
