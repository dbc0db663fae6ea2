import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';

import { unixClient, usePrograms } from '../server/program.js';
import { type RawClient, sh } from '../server/rawClient.js';
import { onlyWrites } from '../support/codexSandbox.js';
import { describeOnLinux } from '../support/onLinux.js';
import { until } from '../support/until.js';
import { describeDisks, withDisk } from '../support/smallDisk.js';

const KIB = 1024;
const DISK_BYTES = 512 * KIB;
const OLD = content(100 * KIB, 'old');
const LARGE = content(1024 * KIB, 'new');

function content(bytes: number, word: string): string {
  return Buffer.alloc(bytes, word).toString('base64');
}

/** Some files on a disk, seen by the server. */
class Files {
  readonly #client: RawClient;
  readonly #folder: string;
  readonly #sandbox: object | undefined;

  constructor(client: RawClient, folder: string, inSandbox = false) {
    this.#client = client;
    this.#folder = folder;
    this.#sandbox = inSandbox ? onlyWrites(folder) : undefined;
  }

  at(name: string): { path: string; sandbox?: object | undefined } {
    return { path: `file://${this.#folder}/${name}`, sandbox: this.#sandbox };
  }

  write(name: string, dataBase64: string): Promise<unknown> {
    return this.#client.request('fs/writeFile', { ...this.at(name), dataBase64 });
  }

  open(name: string, handleId: string): Promise<unknown> {
    return this.#client.request('fs/open', { ...this.at(name), handleId, mode: 'replace' });
  }

  writeBlock(handleId: string, offset: number, chunk: string): Promise<unknown> {
    return this.#client.request('fs/writeBlock', { handleId, offset, chunk });
  }

  remove(name: string): Promise<unknown> {
    return this.#client.request('fs/remove', this.at(name));
  }

  copy(params: object): Promise<unknown> {
    return this.#client.request('fs/copy', { ...params, sandbox: this.#sandbox });
  }

  refused(method: string, params: object): Promise<unknown> {
    return this.#client.refused(method, { ...params, sandbox: this.#sandbox });
  }

  /** Fails the test if a file has other content, which is too large to be shown. */
  async expect(name: string, content: string): Promise<void> {
    const { dataBase64 } = await this.#client.request('fs/readFile', this.at(name));
    assert.ok(dataBase64 === content, `${name} has other content`);
  }

  async names(): Promise<readonly string[]> {
    const { entries } = await this.#client.request('fs/readDirectory', this.at(''));
    return (entries as { fileName: string }[]).map(({ fileName }) => fileName).sort();
  }

  /** Takes all room that is left. */
  async fill(): Promise<void> {
    const handleId = 'filler';
    await this.open(handleId, handleId);
    const chunk = content(4 * KIB, 'filler');
    for (let offset = 0; ; offset += 4 * KIB) {
      const { error } = await this.#client.ask('fs/writeBlock', { handleId, offset, chunk });
      if (error !== undefined) break;
    }
    await this.#client.request('fs/close', { handleId });
  }
}

for (const inSandbox of [false, true])
  describeDisks(inSandbox ? 'In a sandbox, on a full disk @all' : 'On a full disk', () => {
    const NO_ROOM = [-32603, 'No space left on device (os error 28)'];
    const fixture = usePrograms();
    let files: Files;
    let seenFromHere: string;

    beforeEach(async () => {
      const disk = path.join(fixture.folder, 'disk');
      fs.mkdirSync(disk);
      const program = fixture.run(['--listen', 'stdio'], { prefix: withDisk(DISK_BYTES, disk) });
      seenFromHere = path.join('/proc', String(program.pid), 'root', disk);
      const client = program.client();
      await client.handshake();
      files = new Files(client, disk, inSandbox);
    });

    it('a file keeps its content if there is no room for the new one', async () => {
      await files.write('file', OLD);
      for (const some of [{}, { followSymlinks: false }]) {
        const params = { ...files.at('file'), dataBase64: LARGE, ...some };
        assert.deepEqual(await files.refused('fs/writeFile', params), NO_ROOM);
        await files.expect('file', OLD);
        assert.deepEqual(await files.names(), ['file']);
      }
      const fits = content(200 * KIB, 'fits');
      await files.write('file', fits);
      await files.expect('file', fits);
    });

    it('a file that is new is left empty, so that the room is free again', async () => {
      const params = { ...files.at('new'), dataBase64: LARGE };
      assert.deepEqual(await files.refused('fs/writeFile', params), NO_ROOM);
      await files.expect('new', '');
      const fits = content(400 * KIB, 'fits');
      await files.write('file', fits);
      await files.expect('file', fits);
    });

    it('a file keeps its content and its rights if there is no room for the copy of another one', async () => {
      const large = path.join(fixture.folder, 'large');
      fs.writeFileSync(large, Buffer.from(LARGE, 'base64'), { mode: 0o600 });
      await files.write('file', OLD);
      const copy = {
        sourcePath: `file://${large}`,
        destinationPath: files.at('file').path,
        recursive: false,
      };
      const rights = () => fs.statSync(path.join(seenFromHere, 'file')).mode;
      const before = rights();
      assert.deepEqual(await files.refused('fs/copy', copy), NO_ROOM);
      await files.expect('file', OLD);
      assert.equal(rights(), before);
      assert.deepEqual(
        await files.refused('fs/copy', { ...copy, destinationPath: files.at('new').path }),
        NO_ROOM,
      );
      assert.deepEqual(await files.names(), ['file']);
      // With room for it, the copy is whole, be it smaller or larger than the old content.
      for (const other of [content(200 * KIB, 'larger'), content(3, 'few')]) {
        fs.writeFileSync(large, Buffer.from(other, 'base64'));
        await files.copy(copy);
        await files.expect('file', other);
      }
    });

    it('a directory that is copied over another one stops at what has no room, and says so', async () => {
      const source = path.join(fixture.folder, 'source');
      fs.mkdirSync(source);
      fs.writeFileSync(path.join(source, 'file'), Buffer.from(LARGE, 'base64'));
      await files.write('file', OLD);
      const copy = { sourcePath: `file://${source}`, destinationPath: files.at('').path, recursive: true };
      assert.deepEqual(await files.refused('fs/copy', copy), NO_ROOM);
      await files.expect('file', OLD);
    });

    it('a file that is replaced block by block is new from its first block on, and takes more once there is room', async () => {
      await files.write('file', OLD);
      const handleId = 'w';
      await files.open('file', handleId);
      // The protocol shows each block at once, to programs as well: so nothing of the old content can be kept.
      await files.expect('file', '');
      const chunk = content(100 * KIB, 'block');
      await files.writeBlock(handleId, 0, chunk);
      await files.expect('file', chunk);
      await files.fill();
      const block = { handleId, offset: 100 * KIB, chunk };
      assert.deepEqual(await files.refused('fs/writeBlock', block), NO_ROOM);
      await files.remove('filler');
      await files.writeBlock(handleId, 100 * KIB, chunk);
      const whole = Buffer.concat([chunk, chunk].map((block) => Buffer.from(block, 'base64')));
      await files.expect('file', whole.toString('base64'));
    });

    it('a file can have other content that needs no more room', async () => {
      await files.write('file', OLD);
      await files.fill();
      for (const other of [content(100 * KIB, 'same size'), content(50 * KIB, 'smaller'), '']) {
        await files.write('file', other);
        await files.expect('file', other);
      }
    });
  });

describeDisks('On a disk that may only be read @all', () => {
  const READ_ONLY = [-32603, 'Read-only file system (os error 30)'];
  const fixture = usePrograms();

  it('every change is refused in clear words, and nothing changes', async () => {
    const disk = path.join(fixture.folder, 'disk');
    fs.mkdirSync(disk);
    const prepare = 'printf old > file && mkdir folder && mount -o remount,ro .';
    const prefix = withDisk(DISK_BYTES, disk, prepare);
    const client = fixture.run(['--listen', 'stdio'], { prefix }).client();
    await client.handshake();
    const files = new Files(client, disk);
    const from = files.at('file').path;
    const changes: readonly (readonly [method: string, params: object])[] = [
      ['fs/writeFile', { ...files.at('file'), dataBase64: LARGE }],
      ['fs/writeFile', { ...files.at('new'), dataBase64: LARGE, followSymlinks: false }],
      ['fs/open', { ...files.at('file'), handleId: 'a', mode: 'replace' }],
      ['fs/createDirectory', files.at('new/below')],
      ['fs/remove', files.at('file')],
      ['fs/remove', files.at('folder')],
      ['fs/copy', { sourcePath: from, destinationPath: files.at('new').path, recursive: false }],
    ];
    for (const [method, params] of changes) {
      assert.deepEqual(await files.refused(method, params), READ_ONLY, `${method} ${JSON.stringify(params)}`);
    }
    assert.deepEqual(await files.names(), ['file', 'folder']);
    await files.expect('file', Buffer.from('old').toString('base64'));
  });
});

describeDisks('A server whose own folder @all', () => {
  const fixture = usePrograms();
  /** Takes all room for content; names and folders can still be made. */
  const FULL = '{ cat /dev/zero > filler; } 2>/dev/null || :';
  const READ_ONLY = 'mount -o remount,ro .';

  for (const [what, prepare, reason] of [
    [
      'is on a full disk',
      `mkdir private && chmod 700 private && ${FULL}`,
      'no space left on device (ENOSPC)',
    ],
    [
      'may only be read',
      `mkdir private && chmod 700 private && ${READ_ONLY}`,
      'read-only file system (EROFS)',
    ],
  ] as const) {
    it(`${what} says so in one line, and leaves nothing there`, async () => {
      const disk = path.join(fixture.folder, 'disk');
      fs.mkdirSync(disk);
      const list = ['sh', '-c', '"$@"; code=$?; ls -A private >&2; exit $code', 'sh'];
      const prefix = [...withDisk(DISK_BYTES, disk, prepare), ...list];
      const program = fixture.run(['--listen', 'unix:private/socket'], { prefix });
      assert.equal(await program.ended, 1);
      assert.equal(program.stderr(), `Error: cannot listen on unix:private/socket: ${reason}\n`);
      assert.equal(program.stdout(), '');
    });

    it(`${what} says so where it needs a token for clients, and leaves none there`, async () => {
      const disk = path.join(fixture.folder, 'disk');
      fs.mkdirSync(disk);
      // Without /proc the owner of a connection cannot be known.
      const list = ['sh', '-c', '"$@"; code=$?; find private -type f >&2; exit $code', 'sh'];
      const prefix = [...withDisk(DISK_BYTES, disk, `${prepare} && mount -t tmpfs none /proc`), ...list];
      const program = fixture.run(['--listen', 'ws://127.0.0.1:0'], {
        prefix,
        env: { XDG_RUNTIME_DIR: path.join(disk, 'private') },
      });
      assert.equal(await program.ended, 1);
      const lines = program.stderr().split('\n');
      assert.match(
        lines[0] ?? '',
        /^Error: cannot (write a token to|make the folder) .*: (no space|read-only)/,
      );
      assert.deepEqual(lines.slice(1), ['']);
    });
  }
});

describeOnLinux('At the limit for the size of files @all', () => {
  const fixture = usePrograms();

  it('a file keeps its content if the new one is larger', async () => {
    const prefix = ['prlimit', `--fsize=${DISK_BYTES}`];
    const client = fixture.run(['--listen', 'stdio'], { prefix }).client();
    await client.handshake();
    const files = new Files(client, fixture.folder);
    await files.write('file', OLD);
    const params = { ...files.at('file'), dataBase64: LARGE };
    assert.deepEqual(await files.refused('fs/writeFile', params), [-32603, 'File too large (os error 27)']);
    await files.expect('file', OLD);
    assert.deepEqual(await files.names(), ['file']);
  });
});

describeDisks('The writing of a session server', () => {
  const fixture = usePrograms();
  const MIB = 1024 * KIB;
  interface Description {
    readonly metadata: {
      readonly keepOutputEnded?: { readonly reason: string };
      readonly receiptUnwritten?: string;
    };
    readonly state: string;
  }

  /** A client of a session server whose files are on a small disk, where all output is to be kept. */
  const connect = async (prepare?: string): Promise<RawClient> => {
    const disk = path.join(fixture.folder, 'disk');
    const socket = path.join(fixture.folder, 's.sock');
    fs.mkdirSync(disk);
    const program = fixture.run(['sessions', '--socket', socket], {
      prefix: withDisk(2 * MIB, disk, prepare),
      env: { XDG_STATE_HOME: disk, XDG_RUNTIME_DIR: fixture.folder },
    });
    await program.ready;
    const client = await unixClient(socket);
    await client.handshake();
    await client.request('host/keep', {
      personSeconds: -1,
      agentSeconds: -1,
      disk: { keep: true, bytes: 20 * MIB, allBytes: 200 * MIB },
    });
    return client;
  };
  const described = async (client: RawClient) => {
    const { processes } = await client.request('process/list');
    return (processes as Description[])[0];
  };

  it('stops saving output on a full disk, tells clients, and lets the program go on', async () => {
    const client = await connect();
    // All of it goes through memory, and four times as much as there is room on the disk.
    const argv = sh(`for i in 1 2 3 4 5 6 7 8; do head -c ${MIB} /dev/zero; sleep 0.2; done`);
    await client.start('p', argv, { owned: true });
    await until(async () => (await described(client))?.state, 'closed');
    const reason = (await described(client))?.metadata.keepOutputEnded?.reason;
    assert.equal(reason, 'no space left on device (ENOSPC)');
    const { chunks } = await client.request('process/readKept', { processId: 'p', afterSeq: 0 });
    const sizes = (chunks as { chunk: string }[]).map(({ chunk }) => Buffer.from(chunk, 'base64').length);
    assert.ok(sizes.reduce((sum, size) => sum + size, 0) > 100 * KIB);
    assert.ok(fs.readdirSync(fixture.folder).includes('s.sock'));
  });

  it('stops saving output on a read-only disk', async () => {
    const client = await connect('mount -o remount,ro .');
    await client.start('p', sh('echo text'), { owned: true });
    await until(async () => (await described(client))?.state, 'closed');
    await until(async () => (await described(client))?.metadata.keepOutputEnded !== undefined);
    const reason = (await described(client))?.metadata.keepOutputEnded?.reason ?? '';
    assert.match(reason, /^cannot make the folder .*: read-only file system \(EROFS\)$/);
  });

  const PREPARED = 'mkdir -p exec-sessions/receipts && chmod -R 700 exec-sessions && ';
  for (const [disk, prepare, words] of [
    ['is full', 'cat /dev/zero >full 2>/dev/null || true', 'no space left on device (ENOSPC)'],
    ['may only be read', 'mount -o remount,ro .', 'read-only file system (EROFS)'],
  ] as const) {
    it(`omits receipts where the disk ${disk}, and tells clients with the session`, async () => {
      const client = await connect(PREPARED + prepare);
      await client.start('p', sh('sleep 1000'), { owned: true });
      const told = async () => (await described(client))?.metadata.receiptUnwritten;
      await until(async () => (await told()) !== undefined);
      const reason = (await told()) ?? '';
      assert.ok(/^cannot write into the folder .*receipts: /.test(reason) && reason.endsWith(words), reason);
    });
  }
});
