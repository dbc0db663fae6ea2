import type { Emulator } from './emulator.js';
import { isFull, writePiece } from './rowCut.js';
import type { Sequence } from './sequence.js';

/**
 * A line while it is being written. Most lines are plain text, at most with a carriage return or an erasure that
 * changes nothing. These are kept as strings, which takes in 36 MB/s; the emulator takes in 3 MB/s. The others are
 * emulated.
 */
export class LineBuilder {
  readonly #emulator: () => Emulator;
  readonly #maxUnits: number;
  #plain = '';
  /** Whether a carriage return has come, and nothing has been written since. */
  #returned = false;
  #emulated: Emulator | undefined;

  /**
   * @param emulator Gives an emulator that nobody else uses while a line is built.
   * @param maxUnits How long a line may become, in UTF-16 units, before it is cut.
   */
  constructor(emulator: () => Emulator, maxUnits: number) {
    this.#emulator = emulator;
    this.#maxUnits = maxUnits;
  }

  get empty(): boolean {
    return this.#emulated === undefined && this.#plain === '';
  }

  /** Whether the line has to be taken before more text is added. */
  get full(): boolean {
    return this.#emulated === undefined
      ? this.#plain.length >= this.#maxUnits && !this.#returned
      : isFull(this.#emulated, 0);
  }

  /**
   * Adds the text of `run` from index `from` on, up to where the line may be full.
   *
   * @returns The index after the text that was added.
   */
  add(run: string, from: number): number {
    if (this.#returned && this.#plain !== '') {
      this.#emulate();
    }
    this.#returned = false;
    if (this.#emulated !== undefined) {
      return writePiece(this.#emulated, 0, run, from);
    }
    const end = wholeCharacters(run, from, from + this.#maxUnits - this.#plain.length);
    this.#plain += from === 0 && end === run.length ? run : run.slice(from, end);
    return end;
  }

  /** A control character that stays in its line. */
  control(character: string): void {
    if (this.#emulated !== undefined) {
      this.#emulated.write(character);
    } else if (character === '\r') {
      this.#returned = this.#plain !== '';
    } else if (character === '\t' && !this.full) {
      this.add('\t', 0);
    } else if (character === '\t') {
      // A tab does not wrap, so it belongs to the last row, even if that is full.
      this.#emulate().write(character);
    } else if (character === '\b' && this.#plain !== '' && !this.#returned) {
      this.#emulate().write(character);
    }
  }

  /** A sequence whose effect stays within the line. */
  sequence(sequence: Sequence): void {
    if (this.#emulated === undefined && sequence.erasesRight) {
      if (!this.#returned) {
        return;
      }
      // Erasing clears only the last row of a wrapped line. So the line must fit in one row for certain, and tabs and
      // wide characters take more than a cell.
      if (this.#plain.length * 2 <= this.#emulator().columns && !this.#plain.includes('\t')) {
        this.#plain = '';
        this.#returned = false;
        return;
      }
    }
    this.#emulate().write(sequence.raw);
  }

  /**
   * The text of the line so far. It contains line ends if the program wiped one of several rows, which are no longer
   * one wrapped line then.
   */
  get text(): string {
    return this.#emulated === undefined
      ? this.#plain
      : this.#emulated.lines(0, this.#emulated.row + 1).join('\n');
  }

  /** Returns the line and begins the next one. */
  take(): string {
    const text = this.text;
    this.#plain = '';
    this.#returned = false;
    this.#emulated = undefined;
    return text;
  }

  /**
   * Ends the line, and returns what to write to an emulator so that it shows the line, with the cursor where it was.
   */
  takeForEmulator(): string {
    const column = this.#emulated?.column;
    const text = this.text.replaceAll('\n', '\r\n') + (this.#returned ? '\r' : '');
    this.take();
    return column === undefined ? text : `${text}\r${column > 0 ? `\u001b[${column}C` : ''}`;
  }

  #emulate(): Emulator {
    if (this.#emulated === undefined) {
      this.#emulated = this.#emulator();
      this.#emulated.resetLine();
      this.#emulated.write(this.#plain + (this.#returned ? '\r' : ''));
    }
    return this.#emulated;
  }
}

/** The index `to`, moved past the character at `from`, and past a surrogate pair that it would cut in two. */
function wholeCharacters(text: string, from: number, to: number): number {
  const end = Math.min(text.length, Math.max(to, from + 1));
  const code = text.charCodeAt(end - 1);
  return code >= 0xd800 && code < 0xdc00 && end < text.length ? end + 1 : end;
}
