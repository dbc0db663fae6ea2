import assert from 'node:assert/strict';
import { type ChildProcess, spawn } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { pathToFileURL } from 'node:url';

import { listProcesses } from '../../src/local/marks/processTable.js';
import { onlyWrites } from '../support/codexSandbox.js';
import {
  command,
  ownServer,
  type RunningServer,
  startOwnServer,
  startServer,
} from '../support/execServer.js';
import { describeOnLinux } from '../support/onLinux.js';
import { until } from '../support/until.js';
import { webSocketClient } from './program.js';
import { base64, type RawClient } from './rawClient.js';

const READ_ONLY = [-32603, 'Read-only file system (os error 30)'];
const MISSING = [-32004, 'No such file or directory (os error 2)'];
const MIB = 1024 * 1024;
const NOBODY = 65_534;

const uri = (file: string) => pathToFileURL(file).href;

/** A server of a user that owns nothing, with a copy of the programs that this user can read. */
function startAsNobody(): Promise<RunningServer> {
  return startServer(({ folder, home, env }) => {
    const programs = path.join(folder, 'dist');
    fs.cpSync(path.dirname(ownServer), programs, { recursive: true });
    for (const own of [folder, home, path.join(folder, 'tmp')]) fs.chownSync(own, NOBODY, NOBODY);
    const user = ['setpriv', `--reuid=${NOBODY}`, `--regid=${NOBODY}`, '--clear-groups'] as const;
    const server = [process.execPath, path.join(programs, 'exec-server.js')];
    return command([...user, ...server, '--listen', 'ws://127.0.0.1:0', '--no-auth'], env, { cwd: folder });
  });
}

const users: readonly (readonly [string, () => Promise<RunningServer>])[] = [
  ['the user of the tests', () => startOwnServer()],
  ...(process.getuid?.() === 0 ? [['another user', startAsNobody] as const] : []),
];

for (const [user, start] of users) {
  describeOnLinux(`File methods in a sandbox, for ${user}`, () => {
    let server: RunningServer;
    let client: RawClient;
    /** Writable in the sandbox. */
    let inside: string;
    /** Read-only there, although the user may write to it. */
    let outside: string;
    before(async () => {
      server = await start();
    });
    after(() => server.stop());
    beforeEach(async () => {
      client = await connect();
      inside = own(path.join(server.folder, 'inside'));
      outside = own(path.join(server.folder, 'outside'));
      fs.writeFileSync(path.join(outside, 'file'), 'safe');
      give(path.join(outside, 'file'));
    });
    afterEach(() => {
      client.transport.destroy('the test is over');
      [inside, outside].forEach((folder) => fs.rmSync(folder, { recursive: true, force: true }));
    });

    const connect = async () => {
      const connected = await webSocketClient(server.url);
      await connected.handshake();
      return connected;
    };
    const give = (file: string): string => {
      const { uid, gid } = fs.statSync(server.folder);
      fs.chownSync(file, uid, gid);
      return file;
    };
    /** Makes a folder of the server's user. */
    const own = (folder: string): string => {
      fs.mkdirSync(folder);
      return give(folder);
    };
    const at = (...names: string[]) => ({ path: uri(path.join(...names)), sandbox: onlyWrites(inside) });
    const copy = (from: string, to: string) => ({
      sourcePath: uri(from),
      destinationPath: uri(to),
      recursive: true,
      sandbox: onlyWrites(inside),
    });
    const write = (...names: string[]) => ({ ...at(...names), dataBase64: base64('new') });
    const textOf = (...names: string[]) => fs.readFileSync(path.join(...names), 'utf8');

    it('work where the sandbox lets programs write', async () => {
      for (const text of ['first', 'second, longer', '']) {
        await client.request('fs/writeFile', { ...at(inside, 'file'), dataBase64: base64(text) });
        assert.equal(textOf(inside, 'file'), text);
      }
      await client.request('fs/createDirectory', at(inside, 'a/b'));
      await client.request('fs/copy', copy(path.join(outside, 'file'), path.join(inside, 'a/b/copy')));
      assert.equal(textOf(inside, 'a/b/copy'), 'safe');
      await client.request('fs/remove', at(inside, 'a'));
      const open = { ...at(inside, 'streamed'), handleId: 'h', mode: 'replace' };
      await client.request('fs/open', open);
      await client.request('fs/writeBlock', { handleId: 'h', offset: 2, chunk: base64('block') });
      await client.request('fs/close', { handleId: 'h' });
      assert.equal(textOf(inside, 'streamed'), '\0\0block');
      assert.deepEqual(fs.readdirSync(inside), ['file', 'streamed']);
      const { uid } = fs.statSync(path.join(inside, 'file'));
      assert.equal(uid, fs.statSync(server.folder).uid);
    });

    it('change nothing elsewhere, and answer as on a disk that is read-only', async () => {
      const refused: readonly (readonly [string, object])[] = [
        ['fs/writeFile', write(outside, 'new')],
        ['fs/writeFile', write(outside, 'file')],
        ['fs/createDirectory', at(outside, 'folder')],
        ['fs/remove', at(outside, 'file')],
        ['fs/remove', at(outside)],
        ['fs/copy', copy(path.join(outside, 'file'), path.join(outside, 'copy'))],
        ['fs/open', { ...at(outside, 'file'), handleId: 'h', mode: 'replace' }],
        ['fs/open', { ...at(outside, 'file'), handleId: 'h', mode: 'replace', followSymlinks: false }],
      ];
      for (const [method, params] of refused) {
        assert.deepEqual(await client.refused(method, params), READ_ONLY, method);
      }
      assert.deepEqual(fs.readdirSync(outside), ['file']);
      assert.equal(textOf(outside, 'file'), 'safe');
      const { dataBase64 } = await client.request('fs/readFile', at(outside, 'file'));
      assert.equal(dataBase64, base64('safe'));
    });

    it('keep protected folders as they are, and make none that stays', async () => {
      own(path.join(inside, '.git'));
      for (const name of ['.git/config', '.codex/config.toml', '.agents/skill', '.aws/config']) {
        assert.deepEqual(await client.refused('fs/writeFile', write(inside, name)), READ_ONLY, name);
      }
      for (const [method, params] of [
        ['fs/writeFile', write(inside, '.codex')],
        ['fs/remove', at(inside, '.git')],
        ['fs/copy', copy(outside, path.join(inside, '.aws/copy'))],
      ] as const) {
        assert.ok((await client.ask(method, params)).error !== undefined, method);
      }
      assert.deepEqual(fs.readdirSync(inside), ['.git']);
      assert.deepEqual(fs.readdirSync(path.join(inside, '.git')), []);
    });

    it('do not get out over a link', async () => {
      fs.symlinkSync(outside, path.join(inside, 'folder'));
      fs.symlinkSync(path.join(outside, 'file'), path.join(inside, 'link'));
      fs.symlinkSync(path.join(outside, 'new'), path.join(inside, 'dangling'));
      for (const [method, params] of [
        ['fs/writeFile', write(inside, 'link')],
        ['fs/writeFile', write(inside, 'dangling')],
        ['fs/writeFile', write(inside, 'folder/file')],
        ['fs/createDirectory', at(inside, 'folder/new')],
        ['fs/remove', at(inside, 'folder/file')],
        ['fs/copy', copy(path.join(outside, 'file'), path.join(inside, 'link'))],
        ['fs/copy', copy('/etc/hosts', path.join(inside, 'folder/copy'))],
      ] as const) {
        assert.deepEqual(await client.refused(method, params), READ_ONLY, method);
      }
      await client.request('fs/remove', at(inside, 'folder'));
      assert.deepEqual(fs.readdirSync(inside).sort(), ['dangling', 'link']);
      own(path.join(inside, 'tree'));
      fs.symlinkSync(outside, path.join(inside, 'tree/folder'));
      await client.request('fs/remove', at(inside, 'tree'));
      assert.deepEqual(fs.readdirSync(outside), ['file']);
      assert.equal(textOf(outside, 'file'), 'safe');
    });

    it('find our own folders empty, over a link too', async () => {
      const state = path.join(server.home, '.local/state/exec-sessions');
      const secret = path.join(state, 'secret');
      fs.mkdirSync(state, { recursive: true });
      fs.writeFileSync(secret, 'token');
      fs.symlinkSync(state, path.join(inside, 'state'));
      for (const folder of [state, path.join(inside, 'state')]) {
        assert.deepEqual(await client.refused('fs/readFile', at(folder, 'secret')), MISSING);
        assert.deepEqual(await client.refused('fs/getMetadata', at(folder, 'secret')), MISSING);
        assert.deepEqual(await client.request('fs/readDirectory', at(folder)), { entries: [] });
        const copied = copy(path.join(folder, 'secret'), path.join(inside, 'copy'));
        assert.deepEqual(await client.refused('fs/copy', copied), MISSING);
        const open = { ...at(folder, 'secret'), handleId: 'h' };
        assert.deepEqual(await client.refused('fs/open', open), MISSING);
      }
    });

    it('write and read a file of 40 MB, and two writes to one file in order', async () => {
      const large = Buffer.alloc(40 * MIB, 'large').toString('base64');
      const answers = await Promise.all([
        client.ask('fs/writeFile', { ...at(inside, 'file'), dataBase64: large }),
        client.ask('fs/readFile', at(inside, 'file')),
        client.ask('fs/writeFile', write(inside, 'file')),
      ]);
      assert.deepEqual(answers[0].result, {});
      assert.ok(answers[1].result?.['dataBase64'] === large);
      assert.equal(textOf(inside, 'file'), 'new');
    });

    it('end with their connection and with the server', async () => {
      await client.request('fs/open', { ...at(inside, 'file'), handleId: 'h', mode: 'replace' });
      await client.request('fs/writeBlock', { handleId: 'h', offset: 0, chunk: base64('part') });
      const { ino } = fs.statSync(path.join(inside, 'file'));
      assert.equal(openFiles(server.pid, ino), 1);
      client.transport.destroy('cut');
      await until(() => openFiles(server.pid, ino), 0);
      assert.equal(textOf(inside, 'file'), 'part');
      assert.deepEqual(await helpersOf(server), []);
    });

    it('answer that a helper was killed', async () => {
      for (let n = 0; n < 2_000; n += 1) fs.writeFileSync(path.join(outside, `file${n}`), 'x');
      const copied = client.ask('fs/copy', copy(outside, path.join(inside, 'copy')));
      const copies = path.join(inside, 'copy/file0');
      await until(() => fs.existsSync(copies));
      for (const pid of await helpersOf(server)) process.kill(pid, 'SIGKILL');
      assert.deepEqual((await copied).error, {
        code: -32603,
        message: 'the program in the sandbox has ended; part of the work may be done',
      });
      await client.request('fs/writeFile', write(inside, 'file'));
    });

    it('never write outside while a folder is swapped for a link @all', async () => {
      const folder = own(path.join(inside, 'folder'));
      const swapper = startSwapper(folder, outside);
      try {
        await until(() => fs.lstatSync(folder, { throwIfNoEntry: false })?.isSymbolicLink() === true);
        let written = 0;
        for (let n = 0; n < 100; n += 1) {
          const { error } = await client.ask('fs/writeFile', write(folder, 'file'));
          if (error === undefined) written += 1;
        }
        assert.ok(written > 0, 'none was written');
      } finally {
        swapper.kill('SIGKILL');
      }
      assert.deepEqual(fs.readdirSync(outside), ['file']);
      assert.equal(textOf(outside, 'file'), 'safe');
    });
  });
}

/** Makes a folder a link to another one and back, as fast as it can. */
function startSwapper(folder: string, other: string): ChildProcess {
  const script = `
    const fs = require('node:fs');
    const [folder, other] = process.argv.slice(1);
    for (;;) {
      fs.renameSync(folder, folder + '.aside');
      fs.symlinkSync(other, folder);
      fs.unlinkSync(folder);
      fs.renameSync(folder + '.aside', folder);
    }`;
  return spawn(process.execPath, ['-e', script, folder, other], { stdio: 'ignore' });
}

/** @returns how often a process has the file of this number open. */
function openFiles(pid: number, ino: number): number {
  const folder = `/proc/${pid}/fd`;
  const files = fs
    .readdirSync(folder)
    .map((name) => fs.statSync(path.join(folder, name), { throwIfNoEntry: false }));
  return files.filter((stats) => stats?.ino === ino).length;
}

/** The processes of helpers that run for a server, wrappers included. */
async function helpersOf(server: RunningServer): Promise<readonly number[]> {
  const rows = await listProcesses();
  const children = (pid: number): number[] =>
    rows.filter((row) => row.ppid === pid).flatMap((row) => [row.pid, ...children(row.pid)]);
  return children(server.pid).filter((pid) => /sandboxed-files|exec 3<>/.test(commandOf(pid)));
}

function commandOf(pid: number): string {
  try {
    return fs.readFileSync(`/proc/${pid}/cmdline`, 'utf8');
  } catch {
    return '';
  }
}
