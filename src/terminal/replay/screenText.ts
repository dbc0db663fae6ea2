import type { IBuffer, IBufferLine } from '@xterm/headless';

import type { HeadlessTerminal } from '../headless.js';

import { CellPen } from './cellPen.js';
import { type PlacedText, rowsText } from './rowsText.js';
import { probeScreen, type ScreenState } from './screenState.js';

const SHOW_NORMAL = '\u001b[?47l';
/** Saves the cursor, as a program does, then shows the alternate screen, empty and in the default colours. */
const SHOW_ALTERNATE = '\u001b[?1049h\u001b[m\u001b[2J\u001b[H';
/** The default distance between two tab stops. */
const TAB = 8;

/**
 * Returns the text that brings a fresh emulator of the same size to the state of this one, which is of no use after it.
 *
 * @param modes The sequences that set the modes, except for the alternate screen.
 * @param placed The texts that are placed in the rows of the normal screen.
 */
export function screenText(
  headless: HeadlessTerminal,
  modes: string,
  placed?: ReadonlyMap<number, readonly PlacedText[]>,
): string {
  const { terminal } = headless;
  const { normal, active } = terminal.buffer;
  const columns = terminal.cols;
  const { originMode } = terminal.modes;
  // A terminal of VS Code is empty, and may have fewer rows than it says before it is drawn.
  const rows = placed === undefined ? normal.length : usedRows(normal);
  const normalRows = rowsText({ buffer: normal, columns, rows, continuing: true, placed });
  const cursor = { column: active.cursorX, row: active.cursorY };
  const lastCell = cursor.column < columns ? '' : lastCellText(active, columns);
  if (active.type === 'normal') {
    const state = probeScreen(headless);
    return normalRows + tabsText(state, columns) + savedText(state) + modes + cursorText(state);
  }
  const alternateRows = rowsText({ buffer: active, columns, rows: active.length, continuing: false });
  const state = probeScreen(headless);
  headless.write(SHOW_NORMAL);
  const under = probeScreen(headless);
  return (
    normalRows +
    tabsText(under, columns) +
    placeOf(under.saved) +
    under.saved.pen +
    SHOW_ALTERNATE +
    alternateRows +
    tabsText(state, columns) +
    savedText(state) +
    modes +
    cursorText(state)
  );

  function cursorText({ pen, top }: ScreenState): string {
    const row = originMode ? cursor.row - top : cursor.row;
    const place = placeOf({ row, column: Math.min(cursor.column, columns - 1) });
    return place + lastCell + (pen || (lastCell === '' ? '' : '\u001b[m'));
  }
}

/** The number of rows down to the last one that is needed, if nothing has left the screen at its top. */
function usedRows(buffer: IBuffer): number {
  let rows = buffer.length;
  while (buffer.baseY === 0 && rows > buffer.cursorY + 1 && isBlank(buffer.getLine(rows - 1))) {
    rows -= 1;
  }
  return rows;
}

function isBlank(line: IBufferLine | undefined): boolean {
  return line?.translateToString(true) === '' && line.getCell(0)?.getBgColorMode() === 0;
}

/** Writes the last cell of the cursor's row again, so that the next character goes to the next row. */
function lastCellText(buffer: IBuffer, columns: number): string {
  const line = buffer.getLine(buffer.baseY + buffer.cursorY);
  const back = line?.getCell(columns - 1)?.getWidth() === 0 ? 1 : 0;
  const cell = line?.getCell(columns - 1 - back);
  return cell === undefined
    ? ''
    : `${'\b'.repeat(back)}${new CellPen().change(cell)}${cell.getChars() || ' '}`;
}

function tabsText({ tabStops }: ScreenState, columns: number): string {
  const usual: number[] = [];
  for (let column = TAB; column < columns - 1; column += TAB) {
    usual.push(column);
  }
  if (tabStops.join() === usual.join()) {
    return '';
  }
  return `\u001b[3g${tabStops.map((column) => `\u001b[${column + 1}G\u001bH`).join('')}`;
}

function savedText({ saved }: ScreenState): string {
  const initial = saved.row === 0 && saved.column === 0 && saved.pen === '';
  return initial ? '' : `${placeOf(saved)}${saved.pen}\u001b7\u001b[m`;
}

function placeOf({ row, column }: { readonly row: number; readonly column: number }): string {
  return `\u001b[${row + 1};${column + 1}H`;
}
