import { errorOf, type ExecProcess, type WriteStatus } from '../core/index.js';

/** The most typed or pasted bytes that may wait for the process to take earlier ones. */
export const INPUT_LIMIT_BYTES = 8 * 1024 * 1024;
/** The bytes that are handed to the process at once: a large paste leaves room for other writes between its pieces. */
const PIECE_BYTES = 16 * 1024;

/**
 * Writes typed and pasted input to a process, in order and one piece after the other. It bounds the input that one
 * viewer has typed ahead, so it can refuse a paste as a whole. The queue of the process bounds the input from all its
 * writers.
 */
export class InputQueue {
  readonly #process: ExecProcess;
  readonly #failed: (status: Exclude<WriteStatus, 'accepted'> | Error) => void;
  #waiting: Uint8Array[] = [];
  #waitingBytes = 0;
  #writing = false;

  /** @param failed Called when a piece could not be written; the input that waited after it is dropped. */
  constructor(process: ExecProcess, failed: (status: Exclude<WriteStatus, 'accepted'> | Error) => void) {
    this.#process = process;
    this.#failed = failed;
  }

  /** @returns false, and takes nothing, if too much input would wait. */
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
      const status = await this.#process.write(next).catch(errorOf);
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
