import type { ExecProcess, WriteStatus } from '../core/index.js';

/** Typed or pasted bytes that may wait for the process to take what came before. */
export const INPUT_LIMIT_BYTES = 8 * 1024 * 1024;
/** What is handed to the process at once: a large paste leaves room for other things between. */
const PIECE_BYTES = 16 * 1024;

/**
 * Writes what is typed to a process, in order and one piece after the other. It bounds what one viewer has typed ahead, and
 * so can refuse a paste as a whole; the queue of the process bounds what all its writers have given it.
 */
export class InputQueue {
  readonly #process: ExecProcess;
  readonly #failed: (status: Exclude<WriteStatus, 'accepted'> | Error) => void;
  #waiting: Uint8Array[] = [];
  #waitingBytes = 0;
  #writing = false;

  /** @param failed Told when something could not be written; what waited behind it is forgotten. */
  constructor(process: ExecProcess, failed: (status: Exclude<WriteStatus, 'accepted'> | Error) => void) {
    this.#process = process;
    this.#failed = failed;
  }

  /** Returns false, and takes nothing, if too much is waiting. */
  write(bytes: Uint8Array): boolean {
    if (this.#waitingBytes + bytes.byteLength > INPUT_LIMIT_BYTES) {
      return false;
    }
    for (let start = 0; start < bytes.byteLength; start += PIECE_BYTES) {
      this.#waiting.push(bytes.subarray(start, start + PIECE_BYTES));
    }
    this.#waitingBytes += bytes.byteLength;
    if (!this.#writing) {
      void this.#drain();
    }
    return true;
  }

  async #drain(): Promise<void> {
    this.#writing = true;
    for (let next = this.#waiting.shift(); next !== undefined; next = this.#waiting.shift()) {
      const status = await this.#process
        .write(next)
        .catch((error: unknown) => (error instanceof Error ? error : new Error(String(error))));
      this.#waitingBytes -= next.byteLength;
      if (status !== 'accepted') {
        this.#waiting = [];
        this.#waitingBytes = 0;
        this.#failed(status);
      }
    }
    this.#writing = false;
  }
}
