import {
  type Clock,
  type Disposable,
  type ExecProcess,
  type ReadResponse,
  Semaphore,
} from '../../core/index.js';
import { KeyModes } from '../../terminal/index.js';
import { nextTurn } from '../text/index.js';

/** The amount of new output after which it is read, in bytes. A log keeps far more before it evicts output. */
const BEHIND_BYTES = 256 * 1024;
/** The least time between two such rounds, in milliseconds, and the most bytes of each: a flood costs little. */
const PAUSE_MS = 250;
const ROUND_BYTES = 1024 * 1024;
const READ_BYTES = 64 * 1024;

/**
 * Knows the modes of a terminal for keys and pasted text, even when the output that set them is no longer kept. It reads the output
 * with a cursor, so it never slows the process. It may miss parts of a flood.
 */
export class KeyModeWatch implements Disposable {
  readonly #process: Pick<ExecProcess, 'read' | 'info' | 'onWake'>;
  readonly #clock: Clock;
  readonly #modes = new KeyModes();
  readonly #wakes: Disposable;
  #afterSeq = 0;
  /** How much output there had been, and when, as the last round began. */
  #bytes = 0;
  #at: number;
  readonly #reads = new Semaphore(1);
  #disposed = false;

  constructor(process: Pick<ExecProcess, 'read' | 'info' | 'onWake'>, clock: Clock) {
    this.#process = process;
    this.#clock = clock;
    this.#at = clock.now() - PAUSE_MS;
    this.#wakes = process.onWake(() => this.#readIfBehind());
  }

  async now(): Promise<Pick<KeyModes, 'applicationCursorKeys' | 'bracketedPaste'>> {
    await this.#reads.run(() => this.#read(Infinity));
    return this.#modes;
  }

  dispose(): void {
    this.#disposed = true;
    this.#wakes.dispose();
  }

  #readIfBehind(): void {
    const now = this.#clock.now();
    if (now - this.#at < PAUSE_MS || this.#process.info().output.bytes - this.#bytes < BEHIND_BYTES) {
      return;
    }
    this.#at = now;
    // An error does not matter here: the next question reads as well, and reports it.
    this.#reads.run(() => this.#read(ROUND_BYTES)).catch(() => undefined);
  }

  async #read(atMost: number): Promise<void> {
    const { bytes, lastSeq } = this.#process.info().output;
    this.#bytes = bytes;
    for (let read = 0; read < atMost && this.#afterSeq < lastSeq && !this.#disposed;) {
      const answer = await this.#process.read({ afterSeq: this.#afterSeq, maxBytes: READ_BYTES });
      if (answer.chunks.length === 0) {
        break;
      }
      read += this.#take(answer);
      if (this.#afterSeq < lastSeq) {
        await nextTurn();
      }
    }
  }

  /** @returns the number of bytes. */
  #take({ chunks, nextSeq, evicted, missing }: ReadResponse): number {
    if (evicted !== undefined || (missing ?? []).length > 0) {
      this.#modes.skip();
    }
    this.#afterSeq = Math.max(this.#afterSeq, nextSeq - 1);
    let bytes = 0;
    for (const chunk of chunks) {
      this.#modes.write(chunk.bytes);
      bytes += chunk.bytes.byteLength;
    }
    return bytes;
  }
}
