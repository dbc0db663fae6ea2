import { Terminal } from '@xterm/headless';

/** Rows kept above the screen. Writers cut the emulated output (see `rowCut.ts`) before there are more. */
const SCROLLBACK = 1_500;
const NEW_LINE = '\u001b[H\u001b[2J\u001b[3J';

/**
 * The synchronous parser of xterm.js. Its public `write` parses in a later turn of the event loop, so that every line
 * would cost a timer's delay.
 */
interface Core {
  writeSync(data: string): void;
}

/** @throws Error if this is another xterm.js than the one that the dependencies pin. */
function coreOf(terminal: Terminal): Core {
  const core = (terminal as unknown as { readonly _core?: Partial<Core> })._core;
  if (typeof core?.writeSync !== 'function') {
    throw new Error('@xterm/headless has no _core.writeSync any more, which src/agent/text is made for.');
  }
  return core as Core;
}

/** A terminal without a display. Rows are numbered from the first one written since the last reset. */
export class Emulator {
  readonly #terminal: Terminal;
  readonly #core: Core;

  constructor(size: { readonly columns: number; readonly rows: number }, scrollback = SCROLLBACK) {
    this.#terminal = new Terminal({
      cols: size.columns,
      rows: size.rows,
      scrollback,
      allowProposedApi: true,
      logLevel: 'off',
    });
    this.#core = coreOf(this.#terminal);
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
    this.#core.writeSync(data);
  }

  /** Brings the terminal back to its initial state. */
  reset(): void {
    this.#terminal.reset();
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
    this.#terminal.dispose();
  }
}
