import { type Clock, ExecError, isExecError } from '../../core/index.js';
import {
  BadAnswerError,
  type ClientWire,
  connectClient,
  type ResultOf,
  type ServerMessageHandlers,
  type Transport,
  WireClosedError,
  WireCode,
  WireError,
} from '../../protocol/index.js';
import type { Connector } from '../connect/connector.js';
import { withLimit } from './withLimit.js';

export interface WireOptions {
  readonly connector: Connector;
  readonly clientName: string;
  readonly connectMs: number;
  readonly initializeMs: number;
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
}

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
    const wire = connectClient(transport, options.handlers, options.log, options.clock);
    try {
      const greeting = await initialize(options, wire, resumeSessionId, signal);
      const outputFrames = greeting.capabilities?.outputFrames === true && wire.acceptOutputFrames();
      wire.notify('initialized', outputFrames ? { outputFrames } : {});
      return { wire, transport, greeting };
    } catch (error) {
      wire.destroy('the handshake failed');
      throw resumeSessionId === undefined ? handshakeFailure(error, options.connector) : error;
    }
  } catch (error) {
    if (signal?.aborted === true) {
      throw new ExecError({ kind: 'connectCancelled', target });
    }
    throw error;
  }
}

async function connect(
  { connector, clock, connectMs }: WireOptions,
  signal: AbortSignal | undefined,
): Promise<Transport> {
  const timeout = () => connectTimeout(connector.label, connectMs);
  return withLimit({ clock, limitMs: connectMs, signal, timeout }, async (limited) => {
    const transport = await connector.connect(limited);
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
  if (resumeSessionId !== undefined && greeting.sessionId !== resumeSessionId) {
    throw new UnexpectedSessionError(
      `exec-server initialized an unexpected session ${greeting.sessionId ?? 'without an id'}`,
    );
  }
  return greeting;
}

function connectTimeout(target: string, limitMs: number): Error {
  const seconds = limitMs / 1_000;
  return new ExecError({ kind: 'connectTimeout', target, seconds });
}

/** Translates an error of the handshake: something is at the other end, but it does not speak the protocol. */
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

/** The reason why no connection can resume a session. `answer` is in the words of the real client. */
export interface Refusal {
  readonly kind: 'sessionUnknown' | 'refused';
  readonly answer: string;
}

/**
 * Reads the error of an attempt to resume a session.
 *
 * @returns the reason why the session can never be resumed; undefined if another attempt is worthwhile: the server was
 *   not reached or gave no answer, or has not noticed yet that the previous connection has ended.
 */
export function refusalOf(error: unknown): Refusal | undefined {
  if (error instanceof WireError) {
    if (error.code === WireCode.sessionAttached || error.message.includes('already attached')) {
      return undefined;
    }
    const kind = error.message.startsWith('unknown session id') ? 'sessionUnknown' : 'refused';
    return { kind, answer: `exec-server rejected request (${error.code}): ${error.message}` };
  }
  if (error instanceof UnexpectedSessionError || error instanceof BadAnswerError) {
    return { kind: 'refused', answer: `exec-server protocol error: ${error.message}` };
  }
  return isExecError(error) && error.failure.kind === 'badAddress'
    ? { kind: 'refused', answer: error.message }
    : undefined;
}
