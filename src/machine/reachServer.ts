import path from 'node:path';

import type { Clock, HostVariables, LogLimits } from '../core/index.js';
import { ownControlGroups, serviceIn } from './controlGroups.js';
import { copyServer } from './copyServer.js';
import { claimFile } from './fileClaim.js';
import { findSockets, type FoundServer, removeStale } from './findServers.js';
import { inOwnStep, leaveStep } from './jobStep.js';
import { socketNameOf } from './machineName.js';
import { ensurePrivateFolder, ensureWritable, privatePlaces } from './privateFolder.js';
import { readServerFiles, type ServerFiles } from './serverFiles.js';
import { findNode, inOwnScope } from './serverLauncher.js';
import { StartError, systemReason } from './startError.js';
import { START_LIMIT_MS, startServer } from './startServer.js';
import { LONGEST_SOCKET_PATH, PIPES } from './unixSocket.js';
import { copiesFolder } from './userFolders.js';

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

/** Connects to a server. @returns undefined if no server listens there any more. */
type Connect<T> = (found: FoundServer) => Promise<T | undefined>;

/**
 * Connects to the session server of this version on this machine. Programs that do this at the same time get the same
 * one.
 *
 * @param options.start Whether to start a server if none runs.
 * @returns undefined if no server runs, and none is to be started.
 * @throws StartError, ExecError
 */
export async function reachServer<T>(
  options: MachineOptions & { readonly start: boolean },
  connect: Connect<T>,
): Promise<T | undefined> {
  const sockets = findSockets(options.env);
  if (sockets.length === 0 && !options.start) {
    return undefined;
  }
  const source = readServerFiles(options.files);
  const found = await connectToAny(sockets, source.digest, options, connect);
  return found ?? (options.start ? await startAndConnect(source, options, connect) : undefined);
}

/**
 * Connects to the first of these servers that answers.
 *
 * @throws ExecError if none does, and one of them stands still.
 */
async function connectToAny<T>(
  sockets: readonly FoundServer[],
  digest: string,
  { signal }: MachineOptions,
  connect: Connect<T>,
): Promise<T | undefined> {
  const failures: unknown[] = [];
  for (const found of sockets.filter(({ files }) => files === digest)) {
    try {
      const machine = await connect(found);
      if (machine !== undefined) {
        return machine;
      }
    } catch (error) {
      signal?.throwIfAborted();
      failures.push(error);
    }
  }
  if (failures.length > 0) {
    throw failures[0];
  }
  return undefined;
}

async function startAndConnect<T>(
  source: ServerFiles,
  options: MachineOptions,
  connect: Connect<T>,
): Promise<T> {
  const { env, clock } = options;
  const socket = placeFor(socketNameOf(source.digest), options);
  const look = () => connectToAny(findSockets(env), source.digest, options, connect);
  const start = async () => {
    const quicker = await look();
    if (quicker !== undefined) {
      return quicker;
    }
    const folder = await copyOrOriginal(source, options);
    const problem = await launch(path.join(folder, 'exec-server.js'), socket, options);
    const machine = await connect({ socket, files: source.digest });
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
  const step = inOwnStep(argv, env);
  if (step !== undefined) {
    const problem = await startServer(step, variables, clock, leaveStep);
    if (problem === undefined) {
      return undefined;
    }
    compromise(
      options,
      `The session server ends with the step of the job that started it: it gets none of its own (${problem}).`,
    );
    return startServer(argv, variables, clock);
  }
  const scoped = inOwnScope(argv, controlGroups);
  if (scoped !== undefined) {
    const problem = await startServer(scoped, variables, clock);
    if (problem === undefined) {
      return undefined;
    }
    const end =
      serviceIn(controlGroups) === undefined
        ? 'may end with this login'
        : 'ends with the service that this program runs in';
    compromise(options, `The session server ${end}: there is no scope for it (${problem}).`);
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
