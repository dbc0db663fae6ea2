import { decodeText } from './decodeText.js';

/** The error of a line that is longer than allowed. */
export class LineTooLongError extends Error {
  constructor(maxBytes: number) {
    super(`the other side sent a line of more than ${maxBytes} bytes`);
    this.name = 'LineTooLongError';
  }
}

const NEWLINE = 0x0a;
const CARRIAGE_RETURN = 0x0d;
const NOTHING = Buffer.alloc(0);
/** The least memory for an incomplete line, in bytes: about the size of one read. */
const LEAST_HELD = 64 * 1024;

/**
 * Puts lines together from bytes that arrive in arbitrary pieces. Blank lines are left out, as are carriage returns
 * before newlines.
 */
export class LineSplitter {
  readonly #maxBytes: number;
  /**
   * The beginning of an incomplete line, as a copy: many tiny pieces, kept as they arrive, would take far more memory.
   */
  #held = NOTHING;
  #bytes = 0;

  constructor(maxBytes: number) {
    this.#maxBytes = maxBytes;
  }

  /** Whether a line has begun and is not complete. */
  get begun(): boolean {
    return this.#bytes > 0;
  }

  /**
   * Takes from `bytes` the part that belongs to one line.
   *
   * @returns the end of that part, and the line if it is complete now, unless it is blank.
   * @throws LineTooLongError
   */
  take(bytes: Buffer, start: number): { readonly end: number; readonly message: string | undefined } {
    const newline = bytes.indexOf(NEWLINE, start);
    const piece = bytes.subarray(start, newline === -1 ? bytes.length : newline);
    if (this.#bytes + piece.length > this.#maxBytes) {
      throw new LineTooLongError(this.#maxBytes);
    }
    if (newline === -1) {
      this.#hold(piece);
      return { end: bytes.length, message: undefined };
    }
    const line = this.#complete(piece);
    return { end: newline + 1, message: line.trim() === '' ? undefined : line };
  }

  #hold(piece: Buffer): void {
    const bytes = this.#bytes + piece.length;
    if (bytes > this.#held.length) {
      // Doubling the memory each time keeps the time for copying proportional to the length of the line.
      const larger = Buffer.allocUnsafeSlow(Math.min(Math.max(2 * bytes, LEAST_HELD), this.#maxBytes));
      this.#held.copy(larger, 0, 0, this.#bytes);
      this.#held = larger;
    }
    piece.copy(this.#held, this.#bytes);
    this.#bytes = bytes;
  }

  #complete(last: Buffer): string {
    let line = last;
    if (this.#bytes > 0) {
      this.#hold(last);
      line = this.#held.subarray(0, this.#bytes);
      this.#held = NOTHING;
      this.#bytes = 0;
    }
    return decodeText(line.at(-1) === CARRIAGE_RETURN ? line.subarray(0, -1) : line);
  }
}
