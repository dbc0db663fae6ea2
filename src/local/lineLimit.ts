import { ExecError, type ExecProcess, Semaphore } from '../core/index.js';

/**
 * The longest line of a terminal that hands over whole lines, in bytes without its end. The kernel drops the rest of a
 * longer one. Measured on Linux; the limit of macOS is its MAX_CANON.
 */
const LIMIT_BYTES = process.platform === 'darwin' ? 1_023 : 4_095;

/** Line feed, carriage return and Ctrl-D, which end a line; Ctrl-C and Ctrl-U, which drop it. */
const ENDS: ReadonlySet<number> = new Set([0x0a, 0x0d, 0x04, 0x03, 0x15]);
/** The beginning of a key such as an arrow: whoever presses those is at a program that reads keys. */
const ESCAPE = 0x1b;

/** Writes the input of a process in order, and refuses lines that its terminal would cut. */
export class LineLimit {
  readonly #process: Pick<ExecProcess, 'inputMode' | 'processId'>;
  readonly #tty: boolean;
  /** Input that needs no look at the terminal must not overtake the input before it. */
  readonly #turns = new Semaphore(1);
  /** At most so many bytes of an unfinished line wait in the terminal. */
  #unfinished = 0;

  constructor(process: Pick<ExecProcess, 'inputMode' | 'processId'>, tty: boolean) {
    this.#process = process;
    this.#tty = tty;
  }

  /** @throws ExecError, and writes nothing, if a line is too long; or if `write` fails. */
  async write(bytes: Uint8Array, write: () => Promise<void> | void): Promise<void> {
    const { written } = await this.#turns.run(async () => {
      if (this.#tty) {
        await this.#check(bytes);
      }
      return { written: write() };
    });
    try {
      await written;
    } catch {
      throw new ExecError({ kind: 'writeFailed', processId: this.#process.processId });
    }
  }

  async #check(bytes: Uint8Array): Promise<void> {
    let line = this.#unfinished;
    let longest = line;
    let unfinished = line;
    for (const byte of bytes) {
      line = ENDS.has(byte) ? 0 : line + 1;
      longest = Math.max(longest, line);
      unfinished = byte === ESCAPE || line === 0 ? 0 : unfinished + 1;
    }
    if (longest <= LIMIT_BYTES) {
      this.#unfinished = unfinished;
      return;
    }
    // The look takes some milliseconds, so only long lines are worth it.
    if ((await this.#process.inputMode())?.canonical === true) {
      throw new ExecError({ kind: 'lineTooLong', limitBytes: LIMIT_BYTES });
    }
    this.#unfinished = 0;
  }
}
