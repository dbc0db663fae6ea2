import path from 'node:path';

import { ExecError, type HostVariables, isExecError, messageOf } from '../core/index.js';
import { ownInherited } from '../local/index.js';
import type { RemoteBackend } from '../remote/index.js';
import type { FoundServer } from './findServers.js';
import { OutputFolder } from './outputFiles/index.js';
import { privatePlaces } from './privateFolder.js';
import { type MachineOptions, reachServer } from './reachServer.js';
import { StartError } from './startError.js';
import { socketName } from './unixSocket.js';

/** The time for a session server to answer: it has nothing else to wait for. */
const ANSWER_MS = 5_000;
/** The time to find the server again. A connection on this machine ends only with its server, or with its socket. */
const RECOVERY_MS = 3_000;
/** The time for a server that stands still to go on: it may be frozen, or wait for memory. */
const SILENT_MS = 45_000;

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
  try {
    return await reachServer(options, (found) => connectTo(found, options));
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

/** A pipe of Windows has only one place. */
function isAtBest({ socket }: FoundServer, env: HostVariables): boolean {
  return process.platform === 'win32' || path.dirname(socket) === privatePlaces(env)[0];
}

function unavailable(error: unknown): ExecError {
  const reason = error instanceof StartError ? error.message : messageOf(error);
  return new ExecError({ kind: 'sessionServer', reason });
}
