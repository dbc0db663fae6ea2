import type { Emulator } from './emulator.js';

/** Rows above the screen after which what is emulated is cut, so that the emulator never drops one unseen. */
const MAX_ROWS = 200;
/** How many more there may be until one is full to its end: wide characters may leave a cell free in each. */
const SPARE_ROWS = 50;
/** Text is emulated in pieces of this many UTF-16 units, so that rows are counted in time. */
const PIECE_UNITS = 256;
/** A character takes two cells at most, for each of its units. */
const CELLS_PER_UNIT = 2;

/**
 * Whether what an emulator holds has to be cut before more text is written. That is where a row ends: so what follows
 * begins where the next row does, and a carriage return in it goes back to where it would have gone without the cut.
 *
 * @param firstRow The row with which it begins.
 * @param atRowStart The cursor is at the beginning of a row on which nothing has been written.
 */
export function isFull(emulator: Emulator, firstRow: number, atRowStart = false): boolean {
  const rows = emulator.top - firstRow;
  if (rows < MAX_ROWS) {
    return false;
  }
  return atRowStart || emulator.column === emulator.columns || rows >= MAX_ROWS + SPARE_ROWS;
}

/** Whether it has to be cut at once, wherever that is: line ends and sequences alone make rows as well. */
export function isOverfull(emulator: Emulator, firstRow: number): boolean {
  return emulator.top - firstRow >= MAX_ROWS + SPARE_ROWS;
}

/**
 * Writes text to an emulator from a place on, up to where {@link isFull} has to be asked again: no end of a row at which
 * it would say so is passed, whatever the chunks are in which the text comes.
 *
 * @returns The place behind it.
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
