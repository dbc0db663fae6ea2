import { execFileSync } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';

import { listProcesses } from '../../../src/local/marks/processTable.js';
import { killIfThere } from '../../support/killIfThere.js';
import { commandLine } from '../../support/processes.js';
import { until } from '../../support/until.js';
import { temporaryFolder } from '../../rig/lifetime.js';
import type { RawClient } from '../rawClient.js';
import type { Attempt, Folders, OwnFiles } from './attempt.js';

/**
 * A program outside that can be reached in many ways. It says when it is ready, and each time that something has reached
 * it. It ends with its input.
 */
const VICTIM = `
import ctypes, os, select, socket, sys
OUT, WORK, MARK = (os.environ[name] for name in ('OUT', 'WORK', 'MARK'))
libc = ctypes.CDLL(None, use_errno=True)
libc.shmat.restype = ctypes.c_void_p
def listen(kind, address, family=socket.AF_UNIX):
    server = socket.socket(family, kind)
    server.bind(address)
    if kind != socket.SOCK_DGRAM: server.listen(9)
    return server
def note(name, number):
    with open(OUT + '/' + name, 'w') as file: file.write(str(number))
os.dup2(os.open(OUT + '/held', os.O_WRONLY), 33)
tcp = listen(socket.SOCK_STREAM, ('127.0.0.1', 0), socket.AF_INET)
udp = listen(socket.SOCK_DGRAM, ('127.0.0.1', 0), socket.AF_INET)
control = [(socket.SOCK_STREAM, folder + '/control') for folder in os.environ.get('COVERED', '').split()]
servers = [tcp, udp] + [listen(*where) for where in (
    (socket.SOCK_STREAM, OUT + '/stream'), (socket.SOCK_STREAM, WORK + '/docker.sock'),
    (socket.SOCK_STREAM, '\\0' + MARK), (socket.SOCK_SEQPACKET, OUT + '/packets'),
    (socket.SOCK_DGRAM, OUT + '/datagrams'), *control)]
shared = libc.shmget(0, 1, 0o1600)
memory = ctypes.cast(libc.shmat(shared, None, 0), ctypes.POINTER(ctypes.c_char))
libc.shmctl(shared, 0, None)
file = '/dev/shm/' + MARK[5:]
open(file, 'w').close()
note('tcp', tcp.getsockname()[1]); note('udp', udp.getsockname()[1]); note('shared', shared)
print('pid', os.getpid(), flush=True)
waiting = True
while waiting:
    found = select.select([0] + servers, [], [])[0]
    for server in found:
        if server != 0: print('reached:', server.getsockname(), flush=True)
        if server in servers: servers.remove(server)
    waiting = found != [0]
if memory[0] != b'\\0': print('reached: shared memory')
if os.path.getsize(file) > 0: print('reached: shared file')
os.unlink(file)
print('end', flush=True)
`;

const PROTECTED = ['.git', '.agents', '.codex', '.aws'];

/** The server that attempts are made through. */
export interface Place {
  readonly client: RawClient;
  /** The user of the server. */
  readonly uid: number;
  /** Absent for a server that is not ours. */
  readonly own?: OwnFiles;
  /** The variables of programs. */
  readonly env: Readonly<Record<string, string>>;
}

let attempts = 0;

/**
 * Makes an attempt among fresh folders, beside a fresh program outside.
 *
 * @param sandboxed Whether the attempt runs in the sandbox that Codex asks for.
 * @returns what proves its success, nothing if it was held, and its output.
 */
export async function make(
  attempt: Attempt,
  { client, uid, own, env }: Place,
  sandboxed: boolean,
): Promise<{ readonly proofs: readonly string[]; readonly output: string }> {
  const id = randomUUID();
  const mark = `mark-${id}`;
  const stage = fs.realpathSync(fs.mkdtempSync(path.join(os.tmpdir(), 'es-stage-')));
  const remove = temporaryFolder(stage);
  const folders = { out: `${stage}/out`, in: `${stage}/in`, work: `${stage}/in/deep/work` };
  fill(folders);
  const added = attempt.env?.(folders) ?? {};
  execFileSync('chown', ['-R', `${uid}:${uid}`, stage]);
  addProgramOfRoot(folders);
  own?.covered.forEach((folder) => fs.writeFileSync(`${folder}/secret`, mark));
  const variables = {
    ...env,
    ...{ OUT: folders.out, IN: folders.in, WORK: folders.work, MARK: mark },
    ...(own && { PROGRAM: own.program, COVERED: own.covered.join(' ') }),
  };
  const watched = [
    folders.out,
    ...['.git', '.codex', '.agents/file'].map((name) => path.join(folders.work, name)),
    path.join(folders.in, '.codex/file'),
    ...(own ? [own.program] : []),
  ];
  attempts += 1;
  const [victim, program] = [`victim-${attempts}`, `attempt-${attempts}`];
  await client.start(victim, ['/usr/bin/python3', '-c', VICTIM], {
    cwd: `file://${folders.out}`,
    env: variables,
    pipeStdin: true,
  });
  const pidOfVictim = () => /^pid (\d+)\n/.exec(client.output(victim));
  await client.untilTrue(() => pidOfVictim() !== null);
  const before = contentOf(watched);
  const writable = [folders.in, ...(own && attempt.aroundServer ? [own.folder] : [])];
  const run = {
    cwd: `file://${folders.work}`,
    env: { ...variables, VICTIM: pidOfVictim()?.[1] ?? '', ...added },
    tty: attempt.tty === true,
  };
  await client.start(program, attempt.argv, {
    ...run,
    ...(sandboxed && { sandbox: sandboxOf(folders, writable, attempt.network) }),
  });
  await client.told(program, 'closed');
  const leftNow = async () =>
    (await listProcesses()).map((row) => row.pid).filter((one) => commandLine(one).includes(mark));
  // The kernel ends the rest of a sandbox some milliseconds after its program.
  if (sandboxed) await until(async () => (await leftNow()).length, 0);
  const left = await leftNow();
  const after = contentOf(watched);
  await client.ask('process/write', { processId: victim, writeId: '1', chunk: 'Cg==' });
  await client.told(victim, 'closed');
  left.forEach((one) => killIfThere(one));
  fs.rmSync(`/dev/shm/${id}`, { force: true });
  const output = client.output(program);
  const told = client.output(victim).split('\n').slice(1, -1);
  own?.covered.forEach((folder) => fs.rmSync(`${folder}/control`, { force: true }));
  await remove();
  return {
    output,
    proofs: [
      ...changes(before, after),
      ...told.filter((line) => line !== 'end'),
      ...(told.includes('end') ? [] : ['the other program has ended']),
      ...(output.includes(mark) ? ['the output has the mark'] : []),
      ...left.map((one) => `${one} goes on`),
    ],
  };
}

function fill({ out, work }: Folders): void {
  for (const folder of [out, `${work}/.git/hooks`, `${work}/.codex`]) {
    fs.mkdirSync(folder, { recursive: true });
  }
  for (const file of [`${out}/kept`, `${out}/held`, `${work}/.git/config`, `${work}/.codex/config`]) {
    fs.writeFileSync(file, 'kept');
  }
}

/** A program that always has the rights of root, if this user can make one. */
function addProgramOfRoot({ out }: Folders): void {
  if (process.getuid?.() === 0) {
    fs.copyFileSync('/usr/bin/id', `${out}/id`);
    fs.chmodSync(`${out}/id`, 0o4755);
  }
}

/** The content of what only the victim may change, by file. */
function contentOf(watched: readonly string[]): ReadonlyMap<string, string> {
  const files = watched
    .filter(fs.existsSync)
    .flatMap((one) => (fs.statSync(one).isDirectory() ? filesIn(one) : one));
  return new Map(
    files.map((file) => {
      const found = fs.lstatSync(file);
      return [
        file,
        `${found.mode} ${found.size} ${found.isFile() && found.size < 1000 ? fs.readFileSync(file, 'utf8') : found.ino}`,
      ];
    }),
  );
}

function filesIn(folder: string): string[] {
  const entries = fs.readdirSync(folder, { recursive: true, withFileTypes: true });
  return entries
    .filter((entry) => !entry.isDirectory())
    .map(({ parentPath, name }) => path.join(parentPath, name));
}

function changes(before: ReadonlyMap<string, string>, after: ReadonlyMap<string, string>): readonly string[] {
  return [...new Set([...before.keys(), ...after.keys()])]
    .filter((file) => before.get(file) !== after.get(file))
    .map((file) => `changed: ${file}`);
}

/** The sandbox that Codex asks for, with more writable folders around the workspace. */
function sandboxOf({ work }: Folders, writable: readonly string[], network = false): object {
  const place = (kind: string, access: string, subpath?: string) => ({
    path: { type: 'special', value: { kind, ...(subpath !== undefined && { subpath }) } },
    access,
    ...(subpath !== undefined && { missing_path_behavior: 'skip' }),
  });
  return {
    permissions: {
      type: 'managed',
      file_system: {
        type: 'restricted',
        entries: [
          place('root', 'read'),
          ...writable.map((folder) => ({
            path: { type: 'path', path: `file://${folder}` },
            access: 'write',
          })),
          place('project_roots', 'write'),
          ...PROTECTED.map((name) => place('project_roots', 'read', name)),
        ],
      },
      network: network ? 'enabled' : 'restricted',
    },
    cwd: `file://${work}`,
    workspaceRoots: [`file://${work}`],
    windowsSandboxLevel: 'disabled',
    windowsSandboxProxySettingsMode: 'reconcile',
    useLegacyLandlock: false,
  };
}
