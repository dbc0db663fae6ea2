import fs from 'node:fs';
import path from 'node:path';

import type { ExecProcess, StartParams } from '../../src/core/index.js';
import { RemoteBackend, webSocketConnector } from '../../src/remote/index.js';
import { onEnd, runOwned, startOwned, temporaryFolder } from '../rig/lifetime.js';
import { ensureWine, type Wine } from '../rig/wine.js';
import { collectEvents } from '../support/collect.js';
import { INHERITING } from '../support/envPolicy.js';
import { ownServer } from '../support/execServer.js';
import { until } from '../support/until.js';

/** Runs a program under Wine with `conrun`, which see: programs on terminals need it there. */
export const CONRUN = 'C:\\helpers\\conrun.exe';

/** A Windows with a directory of its own for one file of tests. */
export interface Windows {
  /** node.exe as Windows names it. */
  readonly node: string;
  /** The directory, as Windows names it. */
  readonly folder: string;
  /** Writes a file into the directory, below which `name` is. */
  write(name: string, content: string): void;
  read(name: string): string;
  /** Makes a name in the directory for a file of this machine. */
  link(name: string, target: string): void;
  /** Starts node.exe; its outputs are files, since under Wine it can write to no pipe of Linux. */
  startNode(args: readonly string[]): Promise<RunningNode>;
  /** Starts an exec-server that listens on the loopback. */
  startServer(): Promise<RunningNode & { readonly url: string }>;
  stop(): Promise<void>;
}

export interface RunningNode {
  /** Its process on this machine. */
  readonly pid: number;
  readonly exited: Promise<string>;
  stdout(): string;
  stderr(): string;
  kill(): void;
}

let runs = 0;

export async function startWindows(): Promise<Windows> {
  const wine = await ensureWine();
  runs += 1;
  const name = `test-${process.pid}-${runs}`;
  const folder = path.join(wine.driveC, name);
  fs.mkdirSync(folder);
  const remove = temporaryFolder(folder);
  const inside = (file: string) => path.join(folder, file);
  const startNode = (args: readonly string[]) => start(wine, folder, args);
  const stopWine = onEnd(async () => {
    await runOwned('/bin/sh', ['-c', 'wineserver --kill; wineserver --wait'], {
      env: { ...process.env, ...wine.env },
    });
  });
  return {
    node: onZ(wine.node),
    folder: `C:\\${name}`,
    write: (file, content) => {
      fs.mkdirSync(path.dirname(inside(file)), { recursive: true });
      fs.writeFileSync(inside(file), content);
    },
    read: (file) => fs.readFileSync(inside(file), 'utf8'),
    link: (file, target) => {
      fs.mkdirSync(path.dirname(inside(file)), { recursive: true });
      fs.symlinkSync(target, inside(file));
    },
    startNode,
    startServer: async () => {
      const server = await startNode([onZ(ownServer), '--listen', 'ws://127.0.0.1:0', '--no-auth']);
      const ended = server.exited.then((how) => {
        throw new Error(`The server ${how}: ${server.stderr()}`);
      });
      await Promise.race([
        until(
          () => server.stdout(),
          (seen) => seen.includes('\n'),
        ),
        ended,
      ]);
      return { ...server, url: server.stdout().trim() };
    },
    stop: async () => {
      await stopWine();
      await remove();
    },
  };
}

/** A file of this machine as Windows names it under Wine. */
export function onZ(file: string): string {
  return `Z:${file.replaceAll('/', '\\')}`;
}

let starts = 0;

async function start(wine: Wine, cwd: string, args: readonly string[]): Promise<RunningNode> {
  starts += 1;
  const file = (stream: string) => path.join(cwd, `node-${starts}.${stream}`);
  const [stdout, stderr] = [file('out'), file('err')];
  const outputs = [fs.openSync(stdout, 'w'), fs.openSync(stderr, 'w')];
  const owned = await startOwned('wine', [wine.node, ...args], {
    cwd,
    env: { ...process.env, ...wine.env },
    stdio: ['ignore', ...outputs],
  });
  for (const descriptor of outputs) fs.closeSync(descriptor);
  return {
    pid: owned.pid,
    exited: owned.exited,
    stdout: () => fs.readFileSync(stdout, 'utf8'),
    stderr: () => fs.readFileSync(stderr, 'utf8'),
    kill: () => void owned.child.kill('SIGKILL'),
  };
}

export function connect(url: string): Promise<RemoteBackend> {
  return RemoteBackend.connect({ connector: webSocketConnector({ url }), clientName: 'windows' });
}

let processes = 0;

/** Starts a program with all variables of the server. */
export function startProgram(
  backend: RemoteBackend,
  some: Partial<StartParams> & { readonly argv: readonly string[] },
): Promise<ExecProcess> {
  processes += 1;
  return backend.start({
    processId: `p${processes}`,
    cwd: 'C:\\',
    env: {},
    envPolicy: INHERITING,
    tty: false,
    ...some,
  });
}

/** Runs a program to its end. */
export async function run(
  backend: RemoteBackend,
  some: Partial<StartParams> & { readonly argv: readonly string[] },
): Promise<{ readonly output: string; readonly exitCode: number | undefined }> {
  const { stdout, stderr, exit } = await collectEvents(await startProgram(backend, some));
  return { output: stdout + stderr, exitCode: exit?.exitCode };
}

/** Whether a process of this machine has a text in its arguments. */
export function isAlive(text: string): boolean {
  return fs
    .readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name) && Number(name) !== process.pid)
    .some((pid) => {
      try {
        return fs.readFileSync(`/proc/${pid}/cmdline`, 'utf8').includes(text);
      } catch {
        return false;
      }
    });
}
