import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';

import { hasCodex } from '../rig/codex.js';
import { temporaryFolder } from '../rig/lifetime.js';
import { startCodexServer } from '../support/codexServer.js';
import { command, startServer, type RunningServer } from '../support/execServer.js';
import { bundlePrograms } from './bundle.js';
import type { BenchOptions } from './measurement.js';
import type { Address, DriverSpec } from './worker/driver.js';
import { startWorker, type Worker } from './workerProcess.js';

type Transport = 'ws' | 'unix';

interface ContenderKind {
  readonly title: string;
  /** The client that drives it: our own, or the raw one, which is the same for every server. */
  readonly driver: 'raw' | 'local' | 'wire' | 'remote';
  readonly server?: 'ours' | 'before' | 'bare' | 'codex';
  readonly transport?: Transport;
  /** Its programs run in a sandbox. */
  readonly sandboxed?: boolean;
}

/** All contenders. `before-` is another build of ours: `--against FOLDER`. */
const kinds = {
  'raw': { title: 'node-pty and child_process in plain Node', driver: 'raw' },
  'raw-again': { title: 'the same once more: the noise', driver: 'raw' },
  'local': { title: 'our local backend, in process, with its guard', driver: 'local' },
  'ours-ws': {
    title: 'our exec-server, WebSocket, base protocol',
    driver: 'wire',
    server: 'ours',
    transport: 'ws',
  },
  'ours-unix': {
    title: 'our exec-server, Unix socket, base protocol',
    driver: 'wire',
    server: 'ours',
    transport: 'unix',
  },
  'codex': { title: 'codex exec-server, WebSocket', driver: 'wire', server: 'codex' },
  'ours-sandboxed': {
    title: 'our exec-server, WebSocket, programs in a sandbox',
    driver: 'wire',
    server: 'ours',
    sandboxed: true,
  },
  'codex-sandboxed': {
    title: 'codex exec-server, WebSocket, programs in a sandbox',
    driver: 'wire',
    server: 'codex',
    sandboxed: true,
  },
  'bare': {
    title: 'the least server that Node can be: no checks, no log, no limits',
    driver: 'wire',
    server: 'bare',
  },
  'client-ws': {
    title: 'our client and our exec-server, WebSocket',
    driver: 'remote',
    server: 'ours',
    transport: 'ws',
  },
  'client-unix': {
    title: 'our client and our exec-server, Unix socket',
    driver: 'remote',
    server: 'ours',
    transport: 'unix',
  },
  'before-ws': {
    title: 'another build of our exec-server, WebSocket, base protocol',
    driver: 'wire',
    server: 'before',
    transport: 'ws',
  },
} as const satisfies Record<string, ContenderKind>;

/** The titles of the contenders, for the report. */
export const contenderTitles: Readonly<Record<string, string>> = {
  ...Object.fromEntries(Object.entries(kinds).map(([name, { title }]) => [name, title])),
  'ssh': 'plain ssh, a login for each command',
  'ours-ssh': 'our client and our exec-server over ssh',
  'srun': 'plain srun, a step for each command',
  'ours-srun': 'our client and our exec-server over srun',
  'session-server': 'our client and the session server of the machine, Unix socket',
};

export type ContenderName = keyof typeof kinds;

/** All contenders without a sandbox, in the order of the report. */
export const everybody = (Object.keys(kinds) as readonly ContenderName[]).filter(
  (name) => !('sandboxed' in kinds[name]),
);

export interface Contender {
  readonly worker: Worker;
  /** Absent if the worker runs the processes itself. */
  readonly server?: RunningServer;
}

/** The contenders of one measurement: each with a worker, and with a server of its own if it uses one. */
export class Contenders {
  readonly names: readonly ContenderName[];
  readonly #open: ReadonlyMap<string, Contender>;
  readonly #remove: () => Promise<void>;

  private constructor(open: ReadonlyMap<ContenderName, Contender>, remove: () => Promise<void>) {
    this.names = [...open.keys()];
    this.#open = open;
    this.#remove = remove;
  }

  /** Leaves out unwanted contenders, codex if it is unavailable, and the other build if no other one exists. */
  static async open(names: readonly ContenderName[], options: BenchOptions): Promise<Contenders> {
    const folder = fs.realpathSync(fs.mkdtempSync(path.join(os.tmpdir(), 'es-bench-')));
    const remove = temporaryFolder(folder);
    const programs = await bundlePrograms();
    const open = new Map<ContenderName, Contender>();
    for (const name of names.filter((each) => isAvailable(each, options))) {
      const { server, driver } = await reach(name, options);
      const worker = await startWorker(programs.worker, driver, folder);
      open.set(name, { worker, ...(server && { server }) });
    }
    return new Contenders(open, remove);
  }

  get(name: string): Contender {
    const contender = this.#open.get(name);
    if (contender === undefined) {
      throw new Error(`${name} does not take part.`);
    }
    return contender;
  }

  async close(): Promise<void> {
    for (const { worker, server } of this.#open.values()) {
      await worker.stop();
      await server?.stop();
    }
    await this.#remove();
  }
}

function isAvailable(name: ContenderName, { against, contenders }: BenchOptions): boolean {
  const { server }: ContenderKind = kinds[name];
  if (contenders?.has(name) === false) {
    return false;
  }
  return server === 'before' ? against !== undefined : server !== 'codex' || hasCodex();
}

async function reach(
  name: ContenderName,
  { dist, against = dist }: BenchOptions,
): Promise<{ readonly server?: RunningServer; readonly driver: DriverSpec }> {
  const kind: ContenderKind = kinds[name];
  if (kind.server === undefined) {
    return {
      driver: kind.driver === 'raw' ? { kind: 'raw' } : { kind: 'local', guard: path.join(dist, 'guard.js') },
    };
  }
  const { server, address } = await startKind(kind.server, kind.transport ?? 'ws', { dist, against });
  return {
    server,
    driver:
      kind.driver === 'remote'
        ? { kind: 'remote', address }
        : {
            kind: 'wire',
            address,
            losesTail: kind.server === 'bare',
            sandboxed: kind.sandboxed ?? false,
          },
  };
}

interface ServerAt {
  readonly server: RunningServer;
  readonly address: Address;
}

async function startKind(
  kind: NonNullable<ContenderKind['server']>,
  transport: Transport,
  { dist, against }: { readonly dist: string; readonly against: string },
): Promise<ServerAt> {
  switch (kind) {
    case 'codex':
      return atUrl(await startCodexServer());
    case 'bare': {
      const { bareServer } = await bundlePrograms();
      return atUrl(
        await startServer(({ env, folder }) => command([process.execPath, bareServer], env, { cwd: folder })),
      );
    }
    case 'ours':
      return startOurs(dist, transport);
    case 'before':
      return startOurs(against, transport);
  }
}

function atUrl(server: RunningServer): ServerAt {
  return { server, address: { kind: 'websocket', url: server.url } };
}

/** Our exec-server out of a built folder. */
export async function startOurs(dist: string, transport: Transport): Promise<ServerAt> {
  const program = path.join(dist, 'exec-server.js');
  const server = await startServer((home) => {
    const listen = transport === 'ws' ? 'ws://127.0.0.1:0' : `unix:${path.join(home.folder, 'socket')}`;
    return command([process.execPath, ...nodeFlags(), program, '--listen', listen], home.env, {
      cwd: home.folder,
    });
  });
  const address: Address =
    transport === 'ws'
      ? { kind: 'websocket', url: server.url }
      : { kind: 'unix', path: server.url.replace(/^unix:/, '') };
  return { server, address };
}

/** Flags to examine the server: EXEC_SESSIONS_BENCH_NODE_FLAGS='--cpu-prof --cpu-prof-dir=/tmp/profile'. */
function nodeFlags(): readonly string[] {
  return (process.env['EXEC_SESSIONS_BENCH_NODE_FLAGS'] ?? '').split(' ').filter((flag) => flag !== '');
}
