import type { Emulator } from './emulator.js';

/** Emulated output is cut when this many rows are above the screen, so that the emulator never drops one unseen. */
const MAX_ROWS = 200;
/** How many more rows there may be until one is full to its end: wide characters may leave a cell free in each. */
const SPARE_ROWS = 50;
/** Text is emulated in pieces of this many UTF-16 units, so that rows are counted in time. */
const PIECE_UNITS = 256;
/** The most cells that a character takes, for each of its UTF-16 units. */
const CELLS_PER_UNIT = 2;

/**
 * Whether the emulated output has to be cut before more text is written. Cuts are made where a row ends, so the text
 * after a cut begins where the next row does. A carriage return in that text goes back to where it would have gone
 * without the cut.
 *
 * @param firstRow The row with which the emulated output begins.
 * @param atRowStart Whether the cursor is at the beginning of a row on which nothing has been written.
 */
export function isFull(emulator: Emulator, firstRow: number, atRowStart = false): boolean {
  const rows = emulator.top - firstRow;
  if (rows < MAX_ROWS) {
    return false;
  }
  return atRowStart || emulator.column === emulator.columns || rows >= MAX_ROWS + SPARE_ROWS;
}

/** Whether emulated output has to be cut at once, even within a row: line ends and sequences alone make rows, too. */
export function isOverfull(emulator: Emulator, firstRow: number): boolean {
  return emulator.top - firstRow >= MAX_ROWS + SPARE_ROWS;
}

/**
 * Writes the text of `run` to an emulator from index `from` on, up to where {@link isFull} has to be asked again. It
 * never passes the end of a row where the output would be full, so cuts do not depend on the chunks of the text.
 *
 * @returns The index after the text that was written.
 */
export function writePiece(emulator: Emulator, firstRow: number, run: string, from: number): number {
  const pieceRows = Math.ceil((PIECE_UNITS * CELLS_PER_UNIT) / emulator.columns);
  let units = PIECE_UNITS;
  if (emulator.top - firstRow + pieceRows >= MAX_ROWS) {
    const free = emulator.columns - emulator.column;
    units = Math.max(1, Math.floor(free / CELLS_PER_UNIT));
  }
  const end = Math.min(run.length, from + units);
  emulator.write(run.slice(from, end));
  return end;
}
