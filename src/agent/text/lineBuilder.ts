import type { Emulator } from './emulator.js';
import { isFull, writePiece } from './rowCut.js';
import type { Sequence } from './sequence.js';

/**
 * One line while it is written. Most lines are plain text, at most with a carriage return or an erasure where it changes
 * nothing: those are kept as they are, at 36 MB/s beside 3 MB/s with the emulator. The others are emulated.
 */
export class LineBuilder {
  readonly #emulator: () => Emulator;
  readonly #maxUnits: number;
  #plain = '';
  /** A carriage return came, and nothing behind it. */
  #returned = false;
  #emulated: Emulator | undefined;

  /**
   * @param emulator One that nobody else uses while a line is built.
   * @param maxUnits How long a line may become, in UTF-16 units, before it is cut.
   */
  constructor(emulator: () => Emulator, maxUnits: number) {
    this.#emulator = emulator;
    this.#maxUnits = maxUnits;
  }

  get empty(): boolean {
    return this.#emulated === undefined && this.#plain === '';
  }

  /** Whether it has to be taken before more text is added. */
  get full(): boolean {
    return this.#emulated === undefined
      ? this.#plain.length >= this.#maxUnits && !this.#returned
      : isFull(this.#emulated, 0);
  }

  /**
   * Adds text from a place on, up to where the line may be full.
   *
   * @returns The place behind it.
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
      // It does not wrap, so it belongs to the last row that is there.
      this.#emulate().write(character);
    } else if (character === '\b' && this.#plain !== '' && !this.#returned) {
      this.#emulate().write(character);
    }
  }

  /** One whose effect is on its line. */
  sequence(sequence: Sequence): void {
    if (this.#emulated === undefined && sequence.erasesRight) {
      if (!this.#returned) {
        return;
      }
      // Tabs and wide characters take more than a cell, and only the last row of a wrapped line is erased.
      if (this.#plain.length * 2 <= this.#emulator().columns && !this.#plain.includes('\t')) {
        this.#plain = '';
        this.#returned = false;
        return;
      }
    }
    this.#emulate().write(sequence.raw);
  }

  /** What the line says so far. It has line ends in it if the program wiped a row of several: they are no more one line. */
  get text(): string {
    return this.#emulated === undefined
      ? this.#plain
      : this.#emulated.lines(0, this.#emulated.row + 1).join('\n');
  }

  /** Ends the line, and begins the next. */
  take(): string {
    const text = this.text;
    this.#plain = '';
    this.#returned = false;
    this.#emulated = undefined;
    return text;
  }

  /** Ends the line, as what has to be written to an emulator to have it there with the cursor where it was. */
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

/** A place in a text, moved behind the character that it would cut in two. */
function wholeCharacters(text: string, from: number, to: number): number {
  const end = Math.min(text.length, Math.max(to, from + 1));
  const code = text.charCodeAt(end - 1);
  return code >= 0xd800 && code < 0xdc00 && end < text.length ? end + 1 : end;
}
