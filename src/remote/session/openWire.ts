import {
  type Clock,
  delay,
  Emitter,
  type Event,
  ExecError,
  isExecError,
  messageOf,
} from '../../core/index.js';
import {
  BadAnswerError,
  type ClientNotificationParams,
  type ClientWire,
  connectClient,
  GoneError,
  type ResultOf,
  type ServerMessageHandlers,
  type Transport,
  WireClosedError,
  WireCode,
  WireError,
} from '../../protocol/index.js';
import type { Connector } from '../connect/connector.js';
import { withLimit } from './withLimit.js';
import { EARLIER_RETRY_MS, EARLIER_WAIT_MS } from '../limits.js';

export interface WireOptions {
  readonly connector: Connector;
  /** Whether this takes the place of a connection that ended. */
  readonly again?: boolean | undefined;
  readonly clientName: string;
  readonly connectMs: number;
  readonly initializeMs: number;
  /** The interval in which a server gives a sign of life if the transport has none. */
  readonly signOfLifeMs: number;
  /** Whether this client starts nothing; a session server without processes does not stay for it. */
  readonly observes?: boolean | undefined;
  readonly handlers: ServerMessageHandlers;
  readonly clock: Clock;
  readonly log: (line: string) => void;
}

/** The server's answer to `initialize`. */
export type Greeting = ResultOf<'initialize'>;

export interface OpenWire {
  readonly wire: ClientWire;
  readonly transport: Transport;
  readonly greeting: Greeting;
  /** Fires when the server announces its end, with the signal that told it to end. */
  readonly onGoodbye: Event<string | undefined>;
}

/** The most characters of a session's id, which is kept as long as the connection; servers use fewer than a hundred. */
const MOST_SESSION_ID_CHARACTERS = 1_024;

/** The server resumed another session than the requested one. */
class UnexpectedSessionError extends Error {}

/**
 * Connects and performs the handshake.
 *
 * @param resumeSessionId The session to resume; without it a new one begins.
 * @throws ExecError of a {@link ConnectFailure}. When resuming a session also the errors that {@link refusalOf} reads.
 */
export async function openWire(
  options: WireOptions,
  resumeSessionId: string | undefined,
  signal: AbortSignal | undefined,
): Promise<OpenWire> {
  const target = options.connector.label;
  try {
    const transport = await connect(options, signal);
    const goodbye = new Emitter<string | undefined>();
    const handlers: ServerMessageHandlers = {
      ...options.handlers,
      'server/goodbye': ({ signal: told }) => goodbye.fire(told),
      'server/ping': () => wire.notify('client/pong', {}),
    };
    const wire: ClientWire = connectClient(transport, handlers, options.log, options.clock);
    try {
      const greeting = await initialize(options, wire, resumeSessionId, signal);
      wire.notify('initialized', wishes(greeting, wire, transport, options));
      return { wire, transport, greeting, onGoodbye: goodbye.event };
    } catch (error) {
      wire.destroy('the handshake failed');
      throw resumeSessionId === undefined ? handshakeFailure(error, options.connector) : error;
    }
  } catch (error) {
    if (signal?.aborted === true) {
      throw new ExecError({ kind: 'connectCancelled', target });
    }
    throw error instanceof GoneError && resumeSessionId === undefined
      ? new ExecError({ kind: 'connectFailed', target, reason: error.message })
      : error;
  }
}

/** The additions to request from a server, among those that it has announced. */
function wishes(
  { capabilities }: Greeting,
  wire: ClientWire,
  transport: Transport,
  { signOfLifeMs, observes }: WireOptions,
): ClientNotificationParams<'initialized'> {
  return {
    ...(capabilities?.outputFrames === true && wire.acceptOutputFrames() && { outputFrames: true }),
    ...(capabilities?.goodbye === true && { goodbye: true }),
    ...(capabilities?.changes === true && { changes: true }),
    ...(capabilities?.pings === true && { pings: true }),
    ...(capabilities?.keep === true && observes === true && { observes }),
    ...(capabilities?.signOfLife === true && transport.signs !== undefined && { signOfLifeMs }),
  };
}

async function connect(
  { connector, again, clock, connectMs }: WireOptions,
  signal: AbortSignal | undefined,
): Promise<Transport> {
  const timeout = () => connectTimeout(connector.label, connectMs);
  const limitMs = connector.limitsItself === true && again !== true ? undefined : connectMs;
  return withLimit({ clock, limitMs, signal, timeout }, async (limited) => {
    const transport = await connector.connect(limited, again);
    if (limited.aborted) {
      // The caller no longer waits for the transport.
      transport.destroy('given up');
    }
    return transport;
  });
}

async function initialize(
  { connector, clock, clientName, initializeMs }: WireOptions,
  wire: ClientWire,
  resumeSessionId: string | undefined,
  signal: AbortSignal | undefined,
): Promise<Greeting> {
  const timeout = () => connectTimeout(connector.label, initializeMs);
  const params = { clientName, ...(resumeSessionId !== undefined && { resumeSessionId }) };
  const greeting = await withLimit({ clock, limitMs: initializeMs, signal, timeout }, (limited) =>
    wire.request('initialize', params, { signal: limited }),
  );
  if (greeting.sessionId.length > MOST_SESSION_ID_CHARACTERS) {
    throw new BadAnswerError('initialize', 'sessionId', 'it is too long');
  }
  if (resumeSessionId !== undefined && greeting.sessionId !== resumeSessionId) {
    throw new UnexpectedSessionError(`exec-server initialized an unexpected session ${greeting.sessionId}`);
  }
  return greeting;
}

function connectTimeout(target: string, limitMs: number): Error {
  const seconds = limitMs / 1_000;
  return new ExecError({ kind: 'connectTimeout', target, seconds });
}

/** Translates an error of the handshake: a program answers, but it does not speak the protocol. */
function handshakeFailure(error: unknown, { label: target, isCommand }: Connector): unknown {
  if (error instanceof WireClosedError) {
    const reason = error.reason === '' ? 'the other side closed the connection' : error.reason;
    const kind = isCommand === true ? 'serverCommandEnded' : 'notExecServer';
    return new ExecError({ kind, target, reason });
  }
  if (error instanceof WireError) {
    const reason = `it refused: ${error.message}`;
    return new ExecError({ kind: 'notExecServer', target, reason });
  }
  if (error instanceof BadAnswerError) {
    const reason = 'it gave an answer that makes no sense';
    return new ExecError({ kind: 'notExecServer', target, reason });
  }
  return error;
}

/** Whether a server has refused a request because it misses the handshake of the connection. */
export function isHandshakeMissed(error: unknown): boolean {
  return (
    error instanceof WireError &&
    error.code === WireCode.invalidRequest &&
    /^client must (?:call initialize|send initialized) before /.test(error.message)
  );
}

/** The reason why no connection can resume a session. `answer` is in the words of the real client. */
export type Refusal =
  | { readonly kind: 'sessionUnknown' | 'refused'; readonly answer: string }
  /** The other side is gone for good; `ended` says why. */
  | { readonly kind: 'gone'; readonly ended: string };

/**
 * Reads the error of an attempt to resume a session.
 *
 * @returns the reason why the session can never be resumed. Undefined if another attempt is worthwhile. The server was
 *   then not reached, gave no answer, has not noticed the end of the previous connection, or refuses for a passing
 *   reason.
 */
export function refusalOf(error: unknown): Refusal | undefined {
  if (error instanceof WireClosedError) {
    return error.final ? { kind: 'gone', ended: error.reason } : undefined;
  }
  if (error instanceof GoneError) {
    return { kind: 'gone', ended: error.message };
  }
  if (error instanceof WireError) {
    return error.message.startsWith('unknown session id')
      ? { kind: 'sessionUnknown', answer: `exec-server rejected request (${error.code}): ${error.message}` }
      : undefined;
  }
  if (error instanceof UnexpectedSessionError || error instanceof BadAnswerError) {
    return { kind: 'refused', answer: `exec-server protocol error: ${error.message}` };
  }
  return isExecError(error) && error.failure.kind === 'badAddress'
    ? { kind: 'refused', answer: error.message }
    : undefined;
}

/**
 * Resumes the session of an earlier client. The server may still consider that client connected, since the end of a
 * window is not the end of its connection. The attempt is then repeated for a moment.
 *
 * @returns undefined if the server does not give the session back: a new one has to do.
 * @throws ExecError of a {@link ConnectFailure}.
 */
export async function resumeEarlier(
  options: WireOptions,
  sessionId: string,
  signal: AbortSignal | undefined,
): Promise<OpenWire | undefined> {
  const { clock, connector, log } = options;
  const since = clock.now();
  for (;;) {
    try {
      return await openWire(options, sessionId, signal);
    } catch (error) {
      if (isExecError(error)) {
        throw error;
      }
      if (!isTaken(error) || clock.now() - since >= EARLIER_WAIT_MS) {
        log(`The earlier session with ${connector.label} cannot be resumed: ${messageOf(error)}`);
        return undefined;
      }
      await delay(clock, EARLIER_RETRY_MS, signal);
    }
  }
}

function isTaken(error: unknown): boolean {
  return error instanceof WireError && error.code === WireCode.sessionAttached;
}
