import {
  type Clock,
  ExecError,
  type HostVariables,
  type Inherited,
  type LogLimits,
  type PastOutputs,
  systemClock,
} from '../../core/index.js';
import type { RecoveryOptions } from './recovery.js';
import type { KnownSession, SessionMemory } from './sessionMemory.js';
import { ResumableConnection } from './resumableConnection.js';
import type { Connector } from '../connect/connector.js';
import {
  CONNECT_MS,
  FIRST_RETRY_MS,
  INITIALIZE_MS,
  LAST_RETRY_MS,
  RECOVERY_LIMIT_MS,
  SIGN_OF_LIFE_MS,
} from '../limits.js';
import { NotificationRouter } from './notifications.js';
import { describeServer, type ServerFacts } from './serverFacts.js';

export interface RemoteBackendOptions {
  readonly connector: Connector;
  /** The name of this client, for the server. */
  readonly clientName: string;
  readonly limits?: LogLimits | undefined;
  readonly retentionMs?: number | undefined;
  /**
   * The variables of this program, if it is on the server's machine. Starts then inherit these, and not the server's
   * own.
   */
  readonly hostEnv?: HostVariables | undefined;
  /** The umask and the limits of this program, which starts inherit in the same case. */
  readonly inherited?: Inherited | undefined;
  /** Whether this client starts nothing; a session server without processes does not stay for it. */
  readonly observes?: boolean | undefined;
  /**
   * The output that the server leaves on disk, if it is on this machine. Once the connection is lost for good,
   * `readKept` reads it there.
   */
  readonly leftOnDisk?: PastOutputs | undefined;
  /** Remembers the connection session, so that the next client finds the processes of this one. */
  readonly memory?: SessionMemory | undefined;
  readonly connectMs?: number | undefined;
  readonly initializeMs?: number | undefined;
  readonly signOfLifeMs?: number | undefined;
  readonly recovery?: Partial<RecoveryOptions> | undefined;
  readonly clock?: Clock | undefined;
  readonly log?: ((line: string) => void) | undefined;
}

/** A session with a server, and the facts about that server. */
export interface OpenSession {
  readonly session: ResumableConnection;
  /** Routes the server's notifications of processes to their listeners. */
  readonly router: NotificationRouter;
  readonly clock: Clock;
  readonly server: ServerFacts;
  /** The session of an earlier client, if this one resumes it. */
  readonly resumed: KnownSession | undefined;
}

/**
 * Connects to a server, and finds out its capabilities.
 *
 * @throws ExecError of a {@link ConnectFailure}, also when `signal` is aborted.
 */
export async function openSession(options: RemoteBackendOptions, signal?: AbortSignal): Promise<OpenSession> {
  const { connector, clientName, recovery, clock = systemClock } = options;
  const router = new NotificationRouter();
  const earlier = options.memory?.read();
  const { session, greeting } = await ResumableConnection.open(
    {
      connector,
      clientName,
      observes: options.observes,
      connectMs: options.connectMs ?? CONNECT_MS,
      initializeMs: options.initializeMs ?? INITIALIZE_MS,
      signOfLifeMs: options.signOfLifeMs ?? SIGN_OF_LIFE_MS,
      recovery: {
        limitMs: recovery?.limitMs ?? RECOVERY_LIMIT_MS,
        silentLimitMs: recovery?.silentLimitMs ?? recovery?.limitMs ?? RECOVERY_LIMIT_MS,
        firstRetryMs: recovery?.firstRetryMs ?? FIRST_RETRY_MS,
        lastRetryMs: recovery?.lastRetryMs ?? LAST_RETRY_MS,
        ofSessionServer: recovery?.ofSessionServer ?? false,
      },
      handlers: router.handlers,
      clock,
      log: options.log ?? (() => undefined),
    },
    signal,
    earlier?.sessionId,
  );
  if (signal?.aborted === true) {
    session.close();
    const target = connector.label;
    throw new ExecError({ kind: 'connectCancelled', target });
  }
  const resumed = earlier?.sessionId === session.sessionId ? earlier : undefined;
  return { session, router, clock, server: describeServer(greeting), resumed };
}
