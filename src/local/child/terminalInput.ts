import { writeSync } from 'node:fs';

import { delay, systemClock } from '../../core/index.js';
import { INPUT_QUEUE_BYTES } from './child.js';

/**
 * The delay before a full terminal is tried again, in milliseconds; it doubles each time. Node cannot be told when
 * there is room.
 */
const FIRST_RETRY_MS = 2;
const LAST_RETRY_MS = 50;

/**
 * The input of a terminal. It is written synchronously into the non-blocking descriptor. On a terminal whose program
 * does not read, libuv would block the whole event loop (it falls back to blocking writes for masters).
 */
export class TerminalInput {
  readonly #fd: number;
  readonly #isOpen: () => boolean;
  #queue: Uint8Array[] = [];
  #queuedBytes = 0;
  #writing = false;
  #waiters: { resolve: () => void; reject: (error: Error) => void }[] = [];

  /** @param fd The master; `isOpen` tells whether it is still open. */
  constructor(fd: number, isOpen: () => boolean) {
    this.#fd = fd;
    this.#isOpen = isOpen;
  }

  /**
   * Resolves once the bytes are queued and the queue is within its bound.
   *
   * @throws Error if the terminal is closed.
   */
  async write(bytes: Uint8Array): Promise<void> {
    if (!this.#isOpen()) {
      throw new Error('The terminal is closed.');
    }
    this.#queue.push(bytes);
    this.#queuedBytes += bytes.byteLength;
    if (!this.#writing) {
      void this.#writeQueue();
    }
    if (this.#queuedBytes > INPUT_QUEUE_BYTES) {
      await new Promise<void>((resolve, reject) => this.#waiters.push({ resolve, reject }));
    }
  }

  async #writeQueue(): Promise<void> {
    this.#writing = true;
    let retryMs = FIRST_RETRY_MS;
    for (let next = this.#queue[0]; next !== undefined && this.#isOpen(); next = this.#queue[0]) {
      let written: number;
      try {
        written = writeSync(this.#fd, next);
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code !== 'EAGAIN') {
          this.drop();
          break;
        }
        await delay(systemClock, retryMs);
        retryMs = Math.min(retryMs * 2, LAST_RETRY_MS);
        continue;
      }
      retryMs = FIRST_RETRY_MS;
      this.#queuedBytes -= written;
      if (written < next.byteLength) {
        this.#queue[0] = next.subarray(written);
      } else {
        this.#queue.shift();
      }
      if (this.#queuedBytes <= INPUT_QUEUE_BYTES) {
        for (const waiter of this.#waiters.splice(0)) {
          waiter.resolve();
        }
      }
    }
    this.#writing = false;
  }

  /** Drops the unwritten input: the terminal is closed. */
  drop(): void {
    this.#queue = [];
    this.#queuedBytes = 0;
    for (const waiter of this.#waiters.splice(0)) {
      waiter.reject(new Error('The terminal was closed before everything was written.'));
    }
  }
}
