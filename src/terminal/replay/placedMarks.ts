import type { IMarker, Terminal } from '@xterm/headless';

import type { PlacedText } from './rowsText.js';

/** The OSC strings that tell the terminal of VS Code where prompts, commands and their output begin. */
const MARKS = [133, 633];

interface Mark {
  /** The first row of the line. Rows that continue it come and go as it reflows. */
  readonly start: IMarker;
  /** How many cells of the line are before the mark. */
  readonly offset: number;
  readonly text: string;
}

/** The command marks in an emulator's normal screen, each at its place in the text. */
export class PlacedMarks {
  readonly #terminal: Terminal;
  #marks: Mark[] = [];

  constructor(terminal: Terminal) {
    this.#terminal = terminal;
    for (const number of MARKS) {
      terminal.parser.registerOscHandler(number, (data) => {
        this.#add(`\u001b]${number};${data}\u0007`);
        return true;
      });
    }
    terminal.parser.registerEscHandler({ final: 'c' }, () => {
      this.#marks = [];
      return false;
    });
  }

  /** The marks in each row of the normal screen, from left to right. */
  byRow(): ReadonlyMap<number, readonly PlacedText[]> {
    const rows = new Map<number, PlacedText[]>();
    for (const { start, offset, text } of this.#marks) {
      if (!start.isDisposed) {
        const { row, column } = this.#place(start.line, offset);
        const placed = rows.get(row);
        if (placed === undefined) {
          rows.set(row, [{ column, text }]);
        } else {
          placed.push({ column, text });
        }
      }
    }
    for (const placed of rows.values()) {
      placed.sort((one, other) => one.column - other.column);
    }
    return rows;
  }

  #add(text: string): void {
    const { active } = this.#terminal.buffer;
    if (active.type === 'alternate') {
      return;
    }
    const row = active.baseY + active.cursorY;
    let first = row;
    while (first > 0 && active.getLine(first)?.isWrapped === true) {
      first--;
    }
    const last = this.#marks.at(-1)?.start;
    const start =
      last?.isDisposed === false && last.line === first ? last : this.#terminal.registerMarker(first - row);
    if (start !== undefined) {
      this.#marks.push({ start, offset: (row - first) * this.#terminal.cols + active.cursorX, text });
    }
  }

  #place(start: number, offset: number): { row: number; column: number } {
    const { normal } = this.#terminal.buffer;
    const { cols } = this.#terminal;
    let row = start;
    let column = offset;
    while (column >= cols && row + 1 < normal.length && normal.getLine(row + 1)?.isWrapped === true) {
      row++;
      column -= cols;
    }
    return { row, column };
  }
}
