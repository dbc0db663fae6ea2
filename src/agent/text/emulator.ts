import type { Terminal } from '@xterm/headless';
import { HeadlessTerminal } from '../../terminal/headless.js';

/** Rows kept above the screen. Writers cut the emulated output (see `rowCut.ts`) before there are more. */
const SCROLLBACK = 1_500;
const NEW_LINE = '\u001b[H\u001b[2J\u001b[3J';
/** How much is collected before the terminal gets it, in UTF-16 units: each call costs a microsecond. */
const BATCH_UNITS = 512;
/** How much a sequence counts in a batch: some take the terminal as long as a line. */
const SEQUENCE_UNITS = 64;

/**
 * A terminal without a display. It takes what is written in batches, or when somebody looks. A reset drops what it has
 * not taken. Rows are numbered from the first one written since the last reset.
 */
export class Emulator {
  readonly #headless: HeadlessTerminal;
  #batch = '';
  #batchUnits = 0;
  /** Whether the terminal is in its initial state. */
  #isReset = true;

  constructor(size: { readonly columns: number; readonly rows: number }, scrollback = SCROLLBACK) {
    this.#headless = new HeadlessTerminal({ ...size, scrollback });
  }

  get columns(): number {
    return this.#terminal.cols;
  }

  get rows(): number {
    return this.#terminal.rows;
  }

  /** How many rows have left the screen at the top. */
  get top(): number {
    return this.#terminal.buffer.active.baseY;
  }

  get row(): number {
    const { baseY, cursorY } = this.#terminal.buffer.active;
    return baseY + cursorY;
  }

  get column(): number {
    return this.#terminal.buffer.active.cursorX;
  }

  get alternate(): boolean {
    return this.#terminal.buffer.active.type === 'alternate';
  }

  write(data: string): void {
    this.#batch += data;
    this.#batchUnits += data.startsWith('\u001b') ? SEQUENCE_UNITS : data.length;
    if (this.#batchUnits > BATCH_UNITS) {
      this.#flush();
    }
  }

  /** Brings the terminal back to its initial state. */
  reset(): void {
    this.#batch = '';
    this.#batchUnits = 0;
    if (!this.#isReset) {
      this.#headless.terminal.reset();
      this.#isReset = true;
    }
  }

  /**
   * As {@link reset}, but much faster. It is enough if only text, and controls that stay in their line, were written.
   */
  resetLine(): void {
    this.write(this.row === 0 ? '\r\u001b[2K' : NEW_LINE);
  }

  resize(columns: number, rows: number): void {
    this.#terminal.resize(columns, rows);
  }

  /** The text of the rows from `from` up to the one before `to`, with wrapped rows joined into one line. */
  lines(from: number, to: number): string[] {
    const buffer = this.#terminal.buffer.active;
    const lines: string[] = [];
    for (let row = from; row < to; row++) {
      const line = buffer.getLine(row);
      const text = line?.translateToString(true) ?? '';
      const joined = line?.isWrapped === true ? lines.pop() : undefined;
      lines.push(joined === undefined ? text : joined + text);
    }
    return lines;
  }

  /** One text for each row of the screen. */
  screen(): string[] {
    const buffer = this.#terminal.buffer.active;
    return Array.from(
      { length: this.rows },
      (_, index) =>
        buffer
          .getLine(buffer.baseY + index)
          ?.translateToString(true)
          .trimEnd() ?? '',
    );
  }

  /** The last row that has something on it, or -1. */
  lastRow(): number {
    const buffer = this.#terminal.buffer.active;
    for (let row = buffer.length - 1; row >= 0; row--) {
      if ((buffer.getLine(row)?.translateToString(true) ?? '') !== '') {
        return row;
      }
    }
    return -1;
  }

  dispose(): void {
    this.#headless.terminal.dispose();
  }

  /** The terminal after all that was written. */
  get #terminal(): Terminal {
    this.#flush();
    return this.#headless.terminal;
  }

  #flush(): void {
    if (this.#batch !== '') {
      this.#headless.write(this.#batch);
      this.#batch = '';
      this.#batchUnits = 0;
      this.#isReset = false;
    }
  }
}
