import { callSafely, Emitter } from '../../core/index.js';
import type { TransportEnd } from './transport.js';

/** The state of every transport: one listener, messages that wait for it, and one end. */
export abstract class TransportState {
  readonly #ended = new Emitter<TransportEnd>();
  readonly onEnd = this.#ended.event;
  #end: TransportEnd | undefined;
  #listener: ((message: string) => void) | undefined;
  onBytes: ((message: Buffer) => void) | undefined;
  #waiting: string[] = [];

  get end(): TransportEnd | undefined {
    return this.#end;
  }

  get onMessage(): (message: string) => void {
    return this.#listener ?? ((message) => void this.#waiting.push(message));
  }

  set onMessage(listener: (message: string) => void) {
    this.#listener = listener;
    const waiting = this.#waiting;
    this.#waiting = [];
    waiting.forEach((message) => callSafely(listener, message));
  }

  /** Delivers a message, unless it arrives after the end. A listener that throws does not harm the transport. */
  protected deliver(message: string): void {
    if (this.#end === undefined) {
      callSafely(this.onMessage, message);
    }
  }

  protected deliverBytes(message: Buffer): void {
    if (this.#end === undefined && this.onBytes !== undefined) {
      callSafely(this.onBytes, message);
    }
  }

  /** @returns false if the transport had already ended. */
  protected finish(end: TransportEnd): boolean {
    if (this.#end !== undefined) {
      return false;
    }
    this.#end = end;
    this.#ended.fire(this.#end);
    this.#ended.dispose();
    return true;
  }
}

const REASONS: Readonly<Record<string, string>> = {
  ECONNRESET: 'the connection was reset',
  EPIPE: 'the other side no longer reads',
  ETIMEDOUT: 'the connection timed out',
  ECONNABORTED: 'the connection was aborted',
  EHOSTUNREACH: 'the other side can no longer be reached',
  ENETUNREACH: 'the network can no longer be reached',
  ENETDOWN: 'the network is down',
  WS_ERR_UNSUPPORTED_MESSAGE_LENGTH: 'the other side sent a message that is too large',
  WS_ERR_TOO_MANY_BUFFERED_PARTS: 'the other side sent a message in too many pieces',
  ERR_STRING_TOO_LONG: 'the other side sent a message that is too large',
  WS_ERR_INVALID_UTF8: 'the other side sent text that is not UTF-8',
};

/** The error of a stream that ends because the other side is gone for good. Its message says why. */
export class GoneError extends Error {}

/** The end of a transport after an error of its stream. */
export function endAfter(error: Error): TransportEnd {
  const reason = describeTransportError(error);
  return error instanceof GoneError ? { reason, final: true } : { reason };
}

/** Describes an error of a socket or a pipe for people. */
export function describeTransportError(error: Error): string {
  const code: unknown = Reflect.get(error, 'code');
  return (typeof code === 'string' ? REASONS[code] : undefined) ?? error.message;
}

/** The reason of an end that this side wanted. */
export const CLOSED = 'closed';
