import path from 'node:path';

import {
  type Clock,
  ExecError,
  type HostVariables,
  isExecError,
  type LogLimits,
  messageOf,
} from '../core/index.js';
import { ownInherited } from '../local/index.js';
import type { RemoteBackend } from '../remote/index.js';
import { copyServer } from './copyServer.js';
import { claimFile } from './fileClaim.js';
import { findSockets, type FoundServer, removeStale } from './findServers.js';
import { socketNameOf } from './machineName.js';
import { OutputFolder } from './outputFiles/index.js';
import { ensurePrivateFolder, ensureWritable, privatePlaces } from './privateFolder.js';
import { readServerFiles, type ServerFiles } from './serverFiles.js';
import { StartError, systemReason } from './startError.js';
import { findNode, inOwnScope, ownControlGroups } from './serverLauncher.js';
import { START_LIMIT_MS, startServer } from './startServer.js';
import { LONGEST_SOCKET_PATH, PIPES, socketName } from './unixSocket.js';
import { copiesFolder } from './userFolders.js';

/** The time for a session server to answer: it has nothing else to wait for. */
const ANSWER_MS = 5_000;
/** The time to find the server again. A connection on this machine ends only with its server, or with its socket. */
const RECOVERY_MS = 3_000;
/** The time for a server that stands still to go on: it may be frozen, or wait for memory. */
const SILENT_MS = 45_000;

export interface MachineOptions {
  /** The version of this program. */
  readonly version: string;
  /** The folder with the files of the server, as they were built. */
  readonly files: string;
  /**
   * The variables of this program. They say where sockets are; sessions, and a server that is started, inherit them.
   */
  readonly env: HostVariables;
  readonly clock: Clock;
  readonly log: (line: string) => void;
  /** Gets a line for each thing about a server started here that could be better; by default `log`. */
  readonly compromise?: ((line: string) => void) | undefined;
  /** How much output of each session this program keeps; the server keeps as much as it always does. */
  readonly limits?: LogLimits | undefined;
  readonly signal?: AbortSignal | undefined;
  /** The Node that a server runs on; by default that of this program. */
  readonly node?: string | undefined;
  /** The control groups that this program runs in, as in `/proc/self/cgroup`; by default they are looked up there. */
  readonly controlGroups?: string | undefined;
}

/** A connection with a session server of this machine. */
export interface Machine extends FoundServer {
  readonly backend: RemoteBackend;
  /** Whether its socket is where this program would have placed it, given the choice. */
  readonly isAtBestPlace: boolean;
  /** Closes the connection. Sessions go on. */
  disconnect(): void;
}

/**
 * Connects to the session server of this version on this machine. Programs that do this at the same time get the same
 * one.
 *
 * @param options.start Whether to start a server if none runs.
 * @returns undefined if no server runs, and none is to be started.
 * @throws ExecError of kind `sessionServer`, whose text says what to do; `connectCancelled` if `signal` is aborted.
 */
export async function connectMachine(
  options: MachineOptions & { readonly start: boolean },
): Promise<Machine | undefined> {
  const sockets = findSockets(options.env);
  if (sockets.length === 0 && !options.start) {
    return undefined;
  }
  try {
    const source = readServerFiles(options.files);
    const found = await connectToAny(sockets, source.digest, options);
    return found ?? (options.start ? await startAndConnect(source, options) : undefined);
  } catch (error) {
    throw isExecError(error) ? error : unavailable(error);
  }
}

/**
 * Connects to a server that was found, even one of another version.
 *
 * @returns undefined if no server listens there any more.
 * @throws ExecError
 */
export async function connectTo(
  found: FoundServer,
  options: Pick<MachineOptions, 'env' | 'clock' | 'log' | 'limits' | 'signal'> & {
    /**
     * Whether this program only uses sessions that exist. The server then ends some time after its last process is
     * forgotten.
     */
    readonly observes?: boolean;
  },
): Promise<Machine | undefined> {
  const { env, clock, log, limits, signal, observes } = options;
  const { RemoteBackend, socketConnector } = await import('../remote/index.js');
  const connect = () =>
    RemoteBackend.connect(
      {
        connector: socketConnector(socketName(found.socket)),
        clientName: 'exec-sessions',
        connectMs: ANSWER_MS,
        initializeMs: ANSWER_MS,
        recovery: { limitMs: RECOVERY_MS, silentLimitMs: SILENT_MS, ofSessionServer: true },
        hostEnv: env,
        inherited: ownInherited(),
        leftOnDisk: OutputFolder.of(env),
        observes,
        clock,
        log,
        ...(limits && { limits }),
      },
      signal,
    );
  try {
    // A server that is being killed takes connections until its socket is closed, which ends them. After that, no
    // server listens there.
    const backend = await connect().catch((error: unknown) =>
      isExecError(error) && error.failure.kind === 'notExecServer'
        ? connect()
        : Promise.reject(error as Error),
    );
    return { ...found, backend, isAtBestPlace: isAtBest(found, env), disconnect: () => backend.disconnect() };
  } catch (error) {
    if (isExecError(error) && error.failure.kind === 'connectionRefused') {
      return undefined;
    }
    if (isExecError(error) && error.failure.kind === 'connectTimeout') {
      const seconds = ANSWER_MS / 1_000;
      throw unavailable(
        new StartError(
          `the one on ${found.socket} does not answer within ${seconds} seconds. It may only be busy: try again. Ending its process ends all its sessions`,
        ),
      );
    }
    throw error;
  }
}

/**
 * Connects to the first of these servers that answers.
 *
 * @throws ExecError if none does, and one of them stands still.
 */
async function connectToAny(
  sockets: readonly FoundServer[],
  digest: string,
  options: MachineOptions,
): Promise<Machine | undefined> {
  const failures: unknown[] = [];
  for (const found of sockets.filter(({ files }) => files === digest)) {
    try {
      const machine = await connectTo(found, options);
      if (machine !== undefined) {
        return machine;
      }
    } catch (error) {
      options.signal?.throwIfAborted();
      failures.push(error);
    }
  }
  if (failures.length > 0) {
    throw failures[0];
  }
  return undefined;
}

async function startAndConnect(source: ServerFiles, options: MachineOptions): Promise<Machine> {
  const { env, clock } = options;
  const socket = placeFor(socketNameOf(source.digest), options);
  const look = () => connectToAny(findSockets(env), source.digest, options);
  const start = async () => {
    const quicker = await look();
    if (quicker !== undefined) {
      return quicker;
    }
    const folder = await copyOrOriginal(source, options);
    const problem = await launch(path.join(folder, 'exec-server.js'), socket, options);
    const machine = await connectTo({ socket, files: source.digest }, options);
    void removeStale(env);
    if (machine === undefined) {
      throw new StartError(`it cannot be started: ${problem ?? 'it ends at once'}`);
    }
    return machine;
  };
  // A pipe of Windows has no file that could be claimed; a second server finds its name taken, and ends.
  return process.platform === 'win32'
    ? start()
    : claimFile(`${socket}.start`, clock, start, { limitMs: 2 * START_LIMIT_MS, instead: look });
}

/** @returns undefined once the server listens, or the reason why it does not. */
async function launch(program: string, socket: string, options: MachineOptions): Promise<string | undefined> {
  const { env, clock, controlGroups = ownControlGroups() } = options;
  const argv = [await nodeFor(options), program, 'sessions', '--socket', socket] as const;
  const variables = serverVariables(env);
  const scoped = inOwnScope(argv, controlGroups);
  if (scoped !== undefined) {
    const problem = await startServer(scoped, variables, clock);
    if (problem === undefined) {
      return undefined;
    }
    compromise(
      options,
      `The session server ends with the service that this program runs in: there is no scope for it (${problem}).`,
    );
  }
  return startServer(argv, variables, clock);
}

async function nodeFor(options: MachineOptions): Promise<string> {
  const { node, env } = options;
  if (node !== undefined || process.versions['electron'] === undefined) {
    return node ?? process.execPath;
  }
  const found = await findNode(env);
  if (found === undefined) {
    compromise(
      options,
      'The session server runs on the Node of VS Code, since there is no other one: an update may end it.',
    );
  }
  return found ?? process.execPath;
}

/** @throws StartError if no place is usable, with the objection to the best one. */
function placeFor(name: string, options: MachineOptions): string {
  if (process.platform === 'win32') {
    return `${PIPES}${name}`;
  }
  let first: StartError | undefined;
  for (const folder of privatePlaces(options.env)) {
    const socket = path.join(folder, name);
    try {
      if (Buffer.byteLength(socket) > LONGEST_SOCKET_PATH) {
        throw new StartError(
          `${socket} is too long for a socket: ${LONGEST_SOCKET_PATH} bytes are the most. Set XDG_RUNTIME_DIR to a shorter folder`,
        );
      }
      ensurePrivateFolder(folder);
      ensureWritable(folder);
      return socket;
    } catch (error) {
      const problem = error instanceof StartError ? error : new StartError(systemReason(error));
      first ??= problem;
      compromise(options, `No session server can be at ${folder}: ${problem.message}.`);
    }
  }
  throw first ?? new StartError('there is no place for its socket');
}

/** A server that runs from its original files has loaded all of them too, as far as its system allows. */
async function copyOrOriginal(source: ServerFiles, options: MachineOptions): Promise<string> {
  const { version, files, env } = options;
  const folder = copiesFolder(env);
  try {
    return await copyServer(source, version, folder);
  } catch (error) {
    compromise(
      options,
      `The session server is not copied to ${folder}, and runs from ${files}: ${systemReason(error)}.`,
    );
    return files;
  }
}

/** Options of Node that name a file of this program would keep the server's guard from starting once it is removed. */
const NOT_FOR_SERVERS = ['NODE_OPTIONS'];

/** In VS Code's desktop the program is Electron, which behaves as Node only if told to. */
function serverVariables(env: HostVariables): HostVariables {
  const own = Object.entries(env).filter(([name]) => !NOT_FOR_SERVERS.includes(name));
  const asNode = process.versions['electron'] === undefined ? {} : { ELECTRON_RUN_AS_NODE: '1' };
  return { ...Object.fromEntries(own), ...asNode };
}

function compromise({ log, compromise: tell = log }: MachineOptions, line: string): void {
  tell(line);
}

/** A pipe of Windows has only one place. */
function isAtBest({ socket }: FoundServer, env: HostVariables): boolean {
  return process.platform === 'win32' || path.dirname(socket) === privatePlaces(env)[0];
}

function unavailable(error: unknown): ExecError {
  const reason = error instanceof StartError ? error.message : messageOf(error);
  return new ExecError({ kind: 'sessionServer', reason });
}
