import type { Readable, Writable } from 'node:stream';

import { type Clock, type Disposable, systemClock } from '../../core/index.js';
import { CLOSE_LIMIT_MS, SERVER_MAX_MESSAGE_BYTES } from '../limits.js';
import { frameHeader, MessageSplitter } from './messageSplitter.js';
import type { Signs } from './heartbeat.js';
import type { Transport, TransportEnd } from './transport.js';
import { CLOSED, describeTransportError, endAfter, TransportState } from './transportState.js';
import { TurnCork } from './turnCork.js';

interface LineTransportOptions {
  /** The name of the other end, for example `stdio`. */
  readonly peer: string;
  /**
   * The longest line or binary message, in bytes; a longer one ends the transport. The default is the real server's
   * limit.
   */
  readonly maxLineBytes?: number;
  /** Whether every byte arrives unchanged; that is not so with a terminal on the way. */
  readonly carriesBytes?: boolean;
  readonly clock?: Clock;
  /** See {@link Transport.signs}. */
  readonly signs?: () => Signs;
}

/**
 * A transport whose messages are lines, with frames between them: on the standard streams of a process, a Unix socket
 * or a named pipe.
 */
export function lineTransport(
  readable: Readable,
  writable: Writable,
  options: LineTransportOptions,
): Transport {
  return new LineTransport(readable, writable, options);
}

class LineTransport extends TransportState implements Transport {
  readonly peer: string;
  readonly carriesBytes: boolean;
  readonly signs: (() => Signs) | undefined;
  readonly #readable: Readable;
  readonly #writable: Writable;
  readonly #cork: TurnCork;
  readonly #clock: Clock;
  readonly #messages: MessageSplitter;
  /** The reason of the closing, once it has begun. */
  #closing: string | undefined;
  #limit: Disposable | undefined;

  constructor(readable: Readable, writable: Writable, options: LineTransportOptions) {
    super();
    this.peer = options.peer;
    this.signs = options.signs;
    this.#readable = readable;
    this.#writable = writable;
    this.#cork = new TurnCork(writable);
    this.#clock = options.clock ?? systemClock;
    this.carriesBytes = options.carriesBytes ?? false;
    this.#messages = new MessageSplitter(
      options.maxLineBytes ?? SERVER_MAX_MESSAGE_BYTES,
      () => this.onBytes !== undefined,
    );
    // Errors of a stream after its end are ignored, but need a listener; otherwise they would be thrown.
    readable.on('error', (error) => this.#end(endAfter(error)));
    writable.on('error', (error) => this.#finish(describeTransportError(error)));
    readable.on('end', () => this.#finish(''));
    readable.on('close', () => this.#finish('the connection was closed'));
    writable.on('close', () => this.#finish('the connection was closed'));
    readable.on('data', (bytes: Buffer) => this.#take(bytes));
    if (readable.destroyed || writable.destroyed || readable.readableEnded) {
      this.#finish('the connection was closed');
    }
  }

  get bufferedBytes(): number {
    return this.end === undefined ? this.#writable.writableLength : 0;
  }

  send(message: string | Buffer, flushed?: () => void): void {
    if (this.#stopped()) {
      return;
    }
    if (typeof message === 'string') {
      this.#write([`${message}\n`], flushed);
    } else {
      this.#write([message, '\n'], flushed);
    }
  }

  sendBytes(message: Buffer, flushed?: () => void): void {
    if (!this.#stopped()) {
      this.#write([frameHeader(message.length), message], flushed);
    }
  }

  setPaused(paused: boolean): void {
    if (this.#stopped()) {
      return;
    }
    if (paused) {
      this.#readable.pause();
    } else {
      this.#readable.resume();
    }
  }

  /**
   * Messages of the other side are still read, but ignored: if it could not write, it might not take what is queued for
   * it.
   */
  close(reason = CLOSED): void {
    if (this.#stopped()) {
      return;
    }
    this.#closing = reason;
    this.#limit = this.#clock.after(CLOSE_LIMIT_MS, () => this.#finish(reason));
    this.#readable.resume();
    this.#writable.end();
  }

  destroy(reason: string): void {
    this.#finish(reason);
  }

  /**
   * Whether the transport is closing or has ended: nothing is sent any more, and messages of the other side are
   * ignored.
   */
  #stopped(): boolean {
    return this.end !== undefined || this.#closing !== undefined;
  }

  #write(parts: readonly (string | Buffer)[], flushed: (() => void) | undefined): void {
    this.#cork.begin();
    parts.forEach((part, index) => {
      const isLast = index === parts.length - 1;
      this.#writable.write(part, (error) => {
        if (isLast && !(error instanceof Error) && this.end === undefined) {
          flushed?.();
        }
      });
    });
    this.#cork.end();
  }

  #take(bytes: Buffer): void {
    if (this.#stopped()) {
      return;
    }
    try {
      for (const message of this.#messages.push(bytes)) {
        if (typeof message === 'string') {
          this.deliver(message);
        } else {
          this.deliverBytes(message);
        }
        if (this.#stopped()) {
          return;
        }
      }
    } catch (error) {
      this.#finish(error instanceof Error ? describeTransportError(error) : String(error));
    }
  }

  #finish(reason: string): void {
    this.#end({ reason });
  }

  #end(end: TransportEnd): void {
    if (this.finish(this.#closing === undefined ? end : { reason: this.#closing })) {
      this.#limit?.dispose();
      this.#cork.release();
      this.#readable.destroy();
      this.#writable.destroy();
    }
  }
}
