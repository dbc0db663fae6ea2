import type { IBuffer, IBufferCell, IBufferLine } from '@xterm/headless';

import { CellPen } from './cellPen.js';

/** Text that moves no cursor, and the column that the cursor must be in for it. */
export interface PlacedText {
  readonly column: number;
  readonly text: string;
}

interface Rows {
  readonly buffer: IBuffer;
  readonly columns: number;
  /** The number of rows to write, from the first one. */
  readonly rows: number;
  /** Whether a row that continues the one above it is written as its continuation, so that both reflow. */
  readonly continuing: boolean;
  /** The texts that are placed in each row, from left to right. */
  readonly placed?: ReadonlyMap<number, readonly PlacedText[]> | undefined;
}

/** Returns the text that fills a fresh emulator with rows of a buffer, empty ones too. */
export function rowsText(rows: Rows): string {
  return new RowsWriter(rows).text();
}

class RowsWriter {
  readonly #rows: Rows;
  readonly #columns: number;
  readonly #cell: IBufferCell;
  readonly #pen = new CellPen();
  /** The column that the emulator's cursor is in: the number of columns if it is after the last cell of its row. */
  #column = 0;
  #out = '';

  constructor(rows: Rows) {
    this.#rows = rows;
    this.#columns = rows.columns;
    this.#cell = rows.buffer.getNullCell();
  }

  text(): string {
    const { buffer, rows, continuing, placed } = this.#rows;
    for (let row = 0; row < rows; row++) {
      const line = buffer.getLine(row);
      const next = row + 1 < rows ? buffer.getLine(row + 1) : undefined;
      if (line !== undefined) {
        this.#writeRow(line, placed?.get(row) ?? []);
      }
      if (line !== undefined && next?.isWrapped === true && continuing) {
        this.#continue(line, next);
      } else if (next !== undefined) {
        this.#out += `${this.#pen.reset()}\r\n`;
      }
      this.#column = 0;
    }
    return this.#out + this.#pen.reset();
  }

  #writeRow(line: IBufferLine, placed: readonly PlacedText[]): void {
    const left = [...placed];
    for (let column = 0; column < this.#columns; column += this.#writeCells(line, column)) {
      while (left[0] !== undefined && left[0].column <= column) {
        this.#place(left.shift());
      }
    }
    left.forEach((item) => this.#place(item));
  }

  #place(item: PlacedText | undefined): void {
    if (item !== undefined) {
      this.#moveTo(Math.min(item.column, this.#columns - 1));
      this.#out += item.text;
    }
  }

  /** Writes the cell in this column; erased cells of one colour together. Returns the number of cells. */
  #writeCells(line: IBufferLine, column: number): number {
    const cell = this.#load(line, column);
    if (isErased(cell)) {
      return cell.isBgDefault() ? 1 : this.#erase(line, column);
    }
    const chars = cell.getChars();
    const width = cell.getWidth();
    const second = width === 0 && chars === '';
    // A resize may have cut off the second half of a wide character in the last column.
    if (second || (width === 2 && column === this.#columns - 1)) {
      return 1;
    }
    this.#moveTo(column);
    if (width === 0) {
      // Without a sequence before it, it would join the cell to the left.
      this.#out += `\u001b[${column + 1}G`;
    }
    this.#out += this.#pen.change(cell) + (chars || ' ');
    this.#column = column + Math.max(width, 1);
    return 1;
  }

  #erase(line: IBufferLine, column: number): number {
    const first = this.#load(line, column);
    this.#moveTo(column);
    this.#out += this.#pen.change(first);
    const mode = first.getBgColorMode();
    const color = first.getBgColor();
    let count = 1;
    while (column + count < this.#columns) {
      const cell = this.#load(line, column + count);
      if (!isErased(cell) || cell.getBgColorMode() !== mode || cell.getBgColor() !== color) {
        break;
      }
      count++;
    }
    this.#out += `\u001b[${count}X`;
    return count;
  }

  /** Goes on to the next row in such a way that the emulator takes it as a continuation of this row. */
  #continue(line: IBufferLine, next: IBufferLine): void {
    if (this.#wrapsByItself(line, next)) {
      return;
    }
    const column = this.#column;
    this.#out += this.#pen.reset() + ' '.repeat(this.#columns - column + 1);
    if (column < this.#columns) {
      this.#out += `\u001b[A\u001b[${column + 1}G\u001b[${this.#columns - column}X`;
      for (let rest = column; rest < this.#columns; rest += this.#writeCells(line, rest));
      this.#out += `${this.#pen.reset()}\u001b[B`;
    }
    this.#out += '\r\u001b[X';
  }

  /** Whether the first cell of the next row, written after this row, comes to its place and leaves nothing else. */
  #wrapsByItself(line: IBufferLine, next: IBufferLine): boolean {
    const first = this.#load(next, 0);
    const width = first.getWidth();
    if (isErased(first) || width === 0 || !first.isBgDefault() || first.isInverse() !== 0) {
      return false;
    }
    if (this.#column === this.#columns) {
      return true;
    }
    return width === 2 && this.#column === this.#columns - 1 && this.#load(line, this.#column).isBgDefault();
  }

  #moveTo(column: number): void {
    if (this.#column < column) {
      this.#out += `\u001b[${column - this.#column}C`;
      this.#column = column;
    }
  }

  #load(line: IBufferLine, column: number): IBufferCell {
    return line.getCell(column, this.#cell) ?? this.#cell;
  }
}

/** Whether there is nothing in the cell but perhaps a background. */
function isErased(cell: IBufferCell): boolean {
  return cell.getChars() === '' && cell.getWidth() === 1 && cell.isInverse() === 0;
}
