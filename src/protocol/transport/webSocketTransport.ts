import type net from 'node:net';

import type { ClientOptions, RawData, ServerOptions, WebSocket } from 'ws';

import { type Clock, type Disposable, systemClock } from '../../core/index.js';
import { Heartbeat, type HeartbeatOptions, type Signs } from './heartbeat.js';
import { decodeText } from './messageSplitter.js';
import {
  CLIENT_MAX_MESSAGE_BYTES,
  CLOSE_LIMIT_MS,
  DEAD_AFTER_MS,
  PING_INTERVAL_MS,
  SERVER_MAX_MESSAGE_BYTES,
} from '../limits.js';
import type { Transport } from './transport.js';
import { CLOSED, describeTransportError, TransportState } from './transportState.js';
import { TurnCork } from './turnCork.js';

export interface WebSocketTransportOptions extends Partial<HeartbeatOptions> {
  /** The name of the other end: `websocket 127.0.0.1:4711`. */
  readonly peer: string;
  /**
   * The socket below, from the request or the response that upgraded it. It tells a slow peer from a dead one, and a
   * reset from a hang-up.
   */
  readonly tcp?: net.Socket;
  readonly clock?: Clock;
}

/** Options for the server that accepts WebSockets. `ws` itself switches Nagle's algorithm off. */
export const webSocketServerOptions = {
  perMessageDeflate: false,
  maxPayload: SERVER_MAX_MESSAGE_BYTES,
} as const satisfies ServerOptions;

/** The smallest piece in which a large message arrives, in bytes: nearly a packet. */
const LEAST_PIECE_BYTES = 1024;

/** Options for the client that opens WebSockets. */
export const webSocketClientOptions = {
  perMessageDeflate: false,
  // Events of messages fire while the bytes of a read are handed on: see WebSocketMemory.
  allowSynchronousEvents: true,
  // By default `ws` fails on a message that arrives in many pieces, as large ones do over slow networks.
  maxBufferedChunks: CLIENT_MAX_MESSAGE_BYTES / LEAST_PIECE_BYTES,
  maxPayload: CLIENT_MAX_MESSAGE_BYTES,
} as const satisfies ClientOptions;

/** A transport whose messages are the frames of an open WebSocket. */
export function webSocketTransport(socket: WebSocket, options: WebSocketTransportOptions): Transport {
  return new WebSocketTransport(socket, options);
}

/** The codes of a proper close by the other side. 1005 stands for a close without a code. */
const PROPER_CLOSES = [1000, 1001, 1005];
const NORMAL_CLOSE = 1000;

class WebSocketTransport extends TransportState implements Transport {
  readonly peer: string;
  readonly carriesBytes = true;
  readonly #socket: WebSocket;
  readonly #tcp: net.Socket | undefined;
  readonly #cork: TurnCork | undefined;
  readonly #clock: Clock;
  readonly #heartbeat: Heartbeat;
  #paused = false;
  /** The first error before the socket closed. */
  #trouble: string | undefined;
  #closing: string | undefined;
  #limit: Disposable | undefined;

  constructor(socket: WebSocket, options: WebSocketTransportOptions) {
    super();
    this.peer = options.peer;
    this.#socket = socket;
    this.#tcp = options.tcp;
    this.#cork = options.tcp && new TurnCork(options.tcp);
    this.#clock = options.clock ?? systemClock;
    this.#heartbeat = new Heartbeat(
      this.#clock,
      {
        pingIntervalMs: options.pingIntervalMs ?? PING_INTERVAL_MS,
        deadAfterMs: options.deadAfterMs ?? DEAD_AFTER_MS,
      },
      {
        ask: () => this.#ping(),
        signs: () => this.#signs(),
        dead: () => this.#finish('the other side stopped answering'),
      },
    );
    const troubled = (error: Error) => (this.#trouble ??= describeTransportError(error));
    this.#tcp?.on('error', troubled);
    socket.on('error', troubled);
    socket.on('close', (code, reason) => this.#closed(code, reason.toString()));
    socket.on('pong', () => this.#heartbeat.alive());
    socket.on('message', (data, isBinary) => this.#take(data, isBinary));
    if (socket.readyState !== socket.OPEN) {
      this.#finish('the connection was closed');
    }
  }

  get bufferedBytes(): number {
    return this.end === undefined ? this.#socket.bufferedAmount : 0;
  }

  send(message: string | Buffer, flushed?: () => void): void {
    this.#send(message, false, flushed);
  }

  sendBytes(message: Buffer, flushed?: () => void): void {
    this.#send(message, true, flushed);
  }

  setPaused(paused: boolean): void {
    if (this.end !== undefined || this.#closing !== undefined) {
      return;
    }
    this.#paused = paused;
    this.#heartbeat.alive();
    if (paused) {
      this.#socket.pause();
    } else {
      this.#socket.resume();
    }
  }

  close(reason = CLOSED): void {
    if (this.end !== undefined || this.#closing !== undefined) {
      return;
    }
    this.#closing = reason;
    this.#limit = this.#clock.after(CLOSE_LIMIT_MS, () => this.#finish(reason));
    this.#socket.resume();
    this.#socket.close(NORMAL_CLOSE);
  }

  destroy(reason: string): void {
    this.#finish(reason);
  }

  #send(message: string | Buffer, binary: boolean, flushed: (() => void) | undefined): void {
    if (this.end === undefined && this.#closing === undefined) {
      this.#cork?.begin();
      this.#socket.send(message, { binary }, (error) => {
        if (!(error instanceof Error) && this.end === undefined) {
          flushed?.();
        }
      });
      this.#cork?.end();
    }
  }

  #take(data: RawData, isBinary: boolean): void {
    this.#heartbeat.alive();
    if (this.#closing !== undefined) {
      return;
    }
    if (isBinary && this.onBytes !== undefined) {
      this.deliverBytes(bytesOf(data));
      return;
    }
    let text: string;
    try {
      text = decodeText(bytesOf(data));
    } catch (error) {
      // The message is longer than a string can be.
      this.#finish(error instanceof Error ? describeTransportError(error) : String(error));
      return;
    }
    this.deliver(text);
  }

  #ping(): void {
    // While reading is paused, no pong is received. Bytes that wait to be sent then show whether the other side is
    // alive. Without such bytes, or without a socket to tell by, it counts as alive.
    if (this.#paused && (this.#tcp === undefined || this.#socket.bufferedAmount === 0)) {
      this.#heartbeat.alive();
    }
    // The ping is sent in any case: if the other side does not confirm it, the system eventually ends the connection.
    this.#socket.ping();
  }

  #signs(): Signs {
    const waiting = this.#socket.bufferedAmount;
    const tcp = this.#tcp;
    return tcp === undefined
      ? { received: 0, handed: 0, waiting }
      : { received: tcp.bytesRead, handed: tcp.bytesWritten - tcp.writableLength, waiting };
  }

  #closed(code: number, reason: string): void {
    if (this.#trouble !== undefined) {
      this.#finish(this.#trouble);
    } else if (PROPER_CLOSES.includes(code)) {
      this.#finish('');
    } else if (code === 1006) {
      this.#finish('the other side hung up without a word');
    } else {
      this.#finish(
        `the other side closed the connection with code ${code}${reason === '' ? '' : `: ${reason}`}`,
      );
    }
  }

  #finish(reason: string): void {
    if (this.finish({ reason: this.#closing ?? reason })) {
      this.#limit?.dispose();
      this.#heartbeat.dispose();
      this.#cork?.release();
      this.#socket.terminate();
    }
  }
}

function bytesOf(data: RawData): Buffer {
  if (Buffer.isBuffer(data)) {
    return data;
  }
  return Array.isArray(data) ? Buffer.concat(data) : Buffer.from(data);
}
