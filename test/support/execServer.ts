import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { createInterface } from 'node:readline';

import { startOwned, temporaryFolder } from '../rig/lifetime.js';
import { root } from '../rig/paths.js';
import { copyForAll, giveTo } from './otherUser.js';
import { untilTold } from './until.js';

/** An exec-server in a process of its own, listening on the loopback. */
export interface RunningServer {
  readonly url: string;
  readonly port: number;
  readonly pid: number;
  /** A folder of its own, by default its working directory. It is removed after the end. */
  readonly folder: string;
  /** Its HOME, in that folder. */
  readonly home: string;
  /** Its output on stderr so far. */
  stderr(): string;
  /** Ends it as a user would, and everything that it left behind. */
  stop(): Promise<void>;
  /** Kills it, so that it cannot react, and everything that it left behind. */
  kill(): Promise<void>;
}

/** How a program is started. */
export interface Command {
  readonly argv: readonly [string, ...string[]];
  readonly env: Readonly<Record<string, string>>;
  readonly cwd: string;
  /** The user of the server, by default that of the tests. Only root can name another. */
  readonly uid?: number | undefined;
}

export interface ServerHome {
  readonly folder: string;
  readonly home: string;
  /** The variables that a server needs, and none of the caller's. */
  readonly env: Readonly<Record<string, string>>;
  remove(): Promise<void>;
}

/** Not the folder of one test, since a server may be for several. */
const PARENT = os.tmpdir();

/** A home for one server. Processes that the server starts are recognised by the folder's name in their environment. */
export function makeServerHome(): ServerHome {
  const folder = fs.realpathSync(fs.mkdtempSync(path.join(PARENT, 'es-server-')));
  const remove = temporaryFolder(folder);
  const home = path.join(folder, 'home');
  const temporary = path.join(folder, 'tmp');
  fs.mkdirSync(home);
  fs.mkdirSync(temporary);
  const env = {
    PATH: process.env['PATH'] ?? '/bin:/usr/bin',
    HOME: home,
    TMPDIR: temporary,
    LANG: 'C.UTF-8',
  };
  return { folder, home, env, remove };
}

/**
 * Starts a server whose only line on stdout is its URL, in a home of its own, which `command` may use. The server ends
 * with this process at the latest, whatever ends that.
 */
export async function startServer(command: (home: ServerHome) => Command): Promise<RunningServer> {
  const home = makeServerHome();
  const { argv, env, cwd, uid } = command(home);
  const [file, ...args] = argv;
  if (uid !== undefined) giveTo(uid, home.folder);
  const server = await startOwned(
    file,
    args,
    {
      cwd,
      env: { ...env },
      stdio: ['ignore', 'pipe', 'pipe'],
      ...(uid !== undefined && { uid, gid: uid }),
    },
    { marker: home.folder },
  );
  let stderr = '';
  server.child.stderr?.setEncoding('utf8').on('data', (text: string) => (stderr += text));
  const stop = async () => {
    await server.stop();
    await home.remove();
  };
  const line = await Promise.race([firstLine(server.child.stdout, () => stderr), server.exited]);
  if (!URL.canParse(line)) {
    await stop();
    throw new Error(`No URL from ${argv.join(' ')}: ${line}\n${stderr}`);
  }
  return {
    url: line,
    port: Number(new URL(line).port),
    pid: server.pid,
    folder: home.folder,
    home: home.home,
    stderr: () => stderr,
    stop,
    kill: async () => {
      server.child.kill('SIGKILL');
      await server.exited;
      await stop();
    },
  };
}

function firstLine(stdout: NodeJS.ReadableStream | null, stderr: () => string): Promise<string> {
  return untilTold('the address of a server', stderr, (tell) => {
    // Stdout stays open and is read to its end, because a full pipe would stop the server.
    if (stdout !== null) createInterface(stdout).once('line', tell);
    return undefined;
  });
}

export interface ServerOptions {
  /** Variables in addition to those that a server needs. */
  readonly env?: Readonly<Record<string, string>>;
  readonly cwd?: string;
  readonly args?: readonly string[];
  readonly umask?: string;
  readonly uid?: number | undefined;
}

/** Our own server, as it is shipped. */
export const ownServer = path.join(root, 'dist/exec-server.js');

const LISTEN = ['--listen', 'ws://127.0.0.1:0'];

export function startOwnServer(options: ServerOptions = {}): Promise<RunningServer> {
  const file = ownServerFor(options.uid);
  return startServer((home) =>
    command([process.execPath, file, ...LISTEN], home.env, { cwd: home.folder, ...options }),
  );
}

/** Our own server as a file that the user can read. */
function ownServerFor(uid: number | undefined): string {
  return uid === undefined
    ? ownServer
    : path.join(copyForAll(path.dirname(ownServer)), path.basename(ownServer));
}

/** Our own server for a client that starts it, and speaks through its stdin and stdout. */
export function ownStdioServer(uid?: number): readonly [string, ...string[]] {
  return [process.execPath, ownServerFor(uid), '--listen', 'stdio'];
}

/** Starts `argv` as the options say. */
export function command(
  argv: readonly [string, ...string[]],
  homeEnv: Readonly<Record<string, string>>,
  { env, cwd = root, args = [], umask, uid }: ServerOptions,
): Command {
  const whole: readonly [string, ...string[]] = [...argv, ...args];
  return {
    // A shell sets the umask: it cannot be given to a process from outside, and this process must keep its own.
    argv: umask === undefined ? whole : ['/bin/sh', '-c', `umask ${umask}; exec "$@"`, 'sh', ...whole],
    env: { ...homeEnv, ...env },
    cwd,
    uid,
  };
}
