import type { TerminalSize } from '../../core/index.js';

import { Emulator } from './emulator.js';
import { RESET, type Sequence } from './sequence.js';
import type { Steps } from './steps.js';
import { Tokenizer, type TokenSink } from './tokenizer.js';

export interface ScreenSnapshot {
  /** The rows from the top, without blanks at their ends, and without blank rows at the bottom. */
  readonly lines: readonly string[];
  /** Counted from 0. */
  readonly cursor: { readonly row: number; readonly column: number };
  /** Whether a full-screen program has the screen. */
  readonly alternate: boolean;
  /** Whether output is missing, and the program has not painted everything anew since. */
  readonly incomplete: boolean;
}

/** A screen without rows above it, which knows whether it is complete. */
export class ScreenPainter implements TokenSink {
  readonly #emulator: Emulator;
  readonly #tokenizer = new Tokenizer(this);
  #incomplete = false;

  constructor(size: TerminalSize) {
    this.#emulator = new Emulator(size, 0);
  }

  /** Takes output in steps, which have to be done before any other call. */
  write(seq: number, bytes: Uint8Array): Steps {
    return this.#tokenizer.write(seq, bytes);
  }

  /** Output is missing here. */
  skip(): void {
    this.#tokenizer.cut();
    this.#emulator.reset();
    this.#incomplete = true;
  }

  /** Changes the size. Programs are notified of that and paint everything anew, so the screen counts as complete. */
  resize(size: TerminalSize): void {
    this.#emulator.resize(size.columns, size.rows);
    this.#incomplete = false;
  }

  snapshot(): ScreenSnapshot {
    const { row, top, column, columns, alternate } = this.#emulator;
    const lines = this.#emulator.screen();
    const blank = lines.findLastIndex((line) => line !== '') + 1;
    return {
      lines: lines.slice(0, blank),
      // The emulator keeps the cursor after the last cell until the next character wraps.
      cursor: { row: row - top, column: Math.min(column, columns - 1) },
      alternate,
      incomplete: this.#incomplete,
    };
  }

  dispose(): void {
    this.#emulator.dispose();
  }

  text(run: string): void {
    this.#emulator.write(run);
  }

  control(character: string): void {
    this.#emulator.write(character);
  }

  sequence(sequence: Sequence): void {
    if (this.#incomplete && this.#beginsAnew(sequence)) {
      this.#incomplete = false;
    }
    if (sequence.raw === RESET) {
      this.#emulator.reset();
    } else {
      this.#emulator.write(sequence.raw);
    }
  }

  #beginsAnew({ effect, erasesRight, raw }: Sequence): boolean {
    if (effect === 'clear' || effect === 'alternateOn' || effect === 'alternateOff') {
      return true;
    }
    if (!erasesRight || !raw.endsWith('J')) {
      return false;
    }
    return this.#emulator.row === this.#emulator.top && this.#emulator.column === 0;
  }
}
