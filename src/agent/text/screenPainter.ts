import type { TerminalSize } from '../../core/index.js';

import { Emulator } from './emulator.js';
import type { Sequence } from './sequence.js';
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

/** How much text is collected before the emulator gets it, in UTF-16 units: each call costs a microsecond. */
const BATCH_UNITS = 512;
/** How much a sequence counts in a batch: some take the emulator as long as a line. */
const SEQUENCE_UNITS = 64;

/** A screen without rows above it, which knows whether it is complete. */
export class ScreenPainter implements TokenSink {
  readonly #emulator: Emulator;
  readonly #tokenizer = new Tokenizer(this);
  #batch = '';
  #batchUnits = 0;
  #incomplete = false;

  constructor(size: TerminalSize) {
    this.#emulator = new Emulator(size, 0);
  }

  /** Takes output in steps, which have to be done before any other call. */
  *write(seq: number, bytes: Uint8Array): Steps {
    yield* this.#tokenizer.write(seq, bytes);
    this.#flush();
  }

  /** Output is missing here. */
  skip(): void {
    this.#tokenizer.cut();
    this.#flush();
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
    this.#add(run, run.length);
  }

  control(character: string): void {
    this.#add(character, 1);
  }

  sequence(sequence: Sequence): void {
    if (this.#incomplete && this.#beginsAnew(sequence)) {
      this.#incomplete = false;
    }
    this.#add(sequence.raw, SEQUENCE_UNITS);
  }

  #beginsAnew({ effect, erasesRight, raw }: Sequence): boolean {
    if (effect === 'clear' || effect === 'alternateOn' || effect === 'alternateOff') {
      return true;
    }
    if (!erasesRight || !raw.endsWith('J')) {
      return false;
    }
    this.#flush();
    return this.#emulator.row === this.#emulator.top && this.#emulator.column === 0;
  }

  #add(data: string, units: number): void {
    this.#batch += data;
    this.#batchUnits += units;
    if (this.#batchUnits > BATCH_UNITS) {
      this.#flush();
    }
  }

  #flush(): void {
    if (this.#batch !== '') {
      this.#emulator.write(this.#batch);
      this.#batch = '';
      this.#batchUnits = 0;
    }
  }
}
