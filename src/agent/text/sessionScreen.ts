import {
  Alarm,
  type Clock,
  DEFAULT_TERMINAL_SIZE,
  type Disposable,
  type ExecProcess,
  type OutputChunk,
  type ReadResponse,
  Semaphore,
  systemClock,
  type TerminalSize,
} from '../../core/index.js';

import { Turns } from './steps.js';
import { ScreenPainter, type ScreenSnapshot } from './screenPainter.js';

/** The pause between reads in milliseconds, and the bytes of each, while nobody looks: at most 512 KiB a second. */
const FOLLOW_MS = 500;
const FOLLOW_BYTES = 256 * 1024;
/** The most bytes that are painted for a snapshot: the newest part of longer output. */
const PAINT_BYTES = 512 * 1024;
const READ_BYTES = 64 * 1024;
/** Reading for a snapshot stops after this many bytes: it would never end if the process writes faster than we read. */
const CATCH_UP_BYTES = 8 * 1024 * 1024;

/** A terminal's screen as a person would see it. It reads the output with a cursor, so it never slows the process. */
export class SessionScreen implements Disposable {
  readonly #process: Pick<ExecProcess, 'read' | 'info' | 'onWake'>;
  readonly #follow: Alarm;
  readonly #painter: ScreenPainter;
  readonly #turns = new Turns();
  readonly #wakes: Disposable;
  #size: TerminalSize;
  #afterSeq = 0;
  /** One read at a time: each begins where the one before it ended. */
  readonly #reads = new Semaphore(1);
  #disposed = false;

  constructor(
    process: Pick<ExecProcess, 'read' | 'info' | 'onWake'>,
    options: { readonly clock?: Clock | undefined } = {},
  ) {
    this.#process = process;
    this.#follow = new Alarm(options.clock ?? systemClock);
    this.#size = process.info().size ?? DEFAULT_TERMINAL_SIZE;
    this.#painter = new ScreenPainter(this.#size);
    this.#wakes = process.onWake(() => this.#followSoon());
    this.#followSoon();
  }

  /**
   * The screen as it is now.
   *
   * @throws Error if it has been disposed, or if the process cannot be read.
   */
  snapshot(): Promise<ScreenSnapshot> {
    return this.#reads.run(async () => {
      await this.#catchUp();
      if (this.#disposed) {
        throw new Error('The screen is not followed any more.');
      }
      return this.#painter.snapshot();
    });
  }

  dispose(): void {
    if (this.#disposed) {
      return;
    }
    this.#disposed = true;
    this.#wakes.dispose();
    this.#follow.dispose();
    this.#painter.dispose();
  }

  /**
   * Reads a little, soon: output that is never read could be evicted, and with it the sequences that set up the screen.
   */
  #followSoon(): void {
    if (this.#disposed) {
      return;
    }
    this.#follow.setUnlessSet(FOLLOW_MS, () => {
      const follow = this.#reads.run(async () => {
        const answer = await this.#process.read({ afterSeq: this.#afterSeq, maxBytes: FOLLOW_BYTES });
        await this.#paint(this.#take(answer) === 'gap', answer.chunks);
        if (answer.chunks.length > 0) {
          this.#followSoon();
        }
      });
      // An error is no matter here: the next snapshot reads as well, and reports it.
      follow.catch(() => undefined);
    });
  }

  async #catchUp(): Promise<void> {
    let newest: OutputChunk[] = [];
    let bytes = 0;
    let skipped = false;
    let read = 0;
    for (;;) {
      const answer = await this.#process.read({ afterSeq: this.#afterSeq, maxBytes: READ_BYTES });
      if (this.#take(answer) === 'gap') {
        skipped = true;
        newest = [];
        bytes = 0;
      }
      newest.push(...answer.chunks);
      const length = answer.chunks.reduce((sum, chunk) => sum + chunk.bytes.length, 0);
      bytes += length;
      read += length;
      while (bytes > PAINT_BYTES && newest.length > 1) {
        bytes -= newest.shift()?.bytes.length ?? 0;
        skipped = true;
      }
      if (answer.chunks.length === 0 || read >= CATCH_UP_BYTES) {
        break;
      }
    }
    await this.#paint(skipped, newest);
  }

  /** Moves the cursor past an answer. Returns `gap` if output is missing before its last chunk. */
  #take({ nextSeq, evicted, missing }: ReadResponse): 'gap' | 'whole' {
    const whole = (evicted?.throughSeq ?? 0) <= this.#afterSeq && (missing ?? []).length === 0;
    this.#afterSeq = Math.max(this.#afterSeq, nextSeq - 1);
    return whole ? 'whole' : 'gap';
  }

  async #paint(skipped: boolean, chunks: readonly OutputChunk[]): Promise<void> {
    if (this.#disposed) {
      return;
    }
    const { columns, rows } = this.#process.info().size ?? this.#size;
    if (columns !== this.#size.columns || rows !== this.#size.rows) {
      this.#size = { columns, rows };
      this.#painter.resize(this.#size);
    }
    if (skipped) {
      this.#painter.skip();
    }
    for (const { seq, bytes } of chunks) {
      await this.#turns.run(this.#painter.write(seq, bytes), () => this.#disposed);
    }
  }
}
