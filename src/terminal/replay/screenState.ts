import type { IBufferCell } from '@xterm/headless';

import type { HeadlessTerminal } from '../headless.js';

import { CellPen } from './cellPen.js';

/** Ends what is incomplete, and insert mode. */
const PREPARE = '\u0018\u001b[4l';
const END_LINK = '\u001b]8;;\u0007';
const HOME = '\u001b[H';
/** In origin mode, the cursor's home is in the scroll region. */
const ORIGIN_MODE = { on: '\u001b[?6h', off: '\u001b[?6l' };

/** The state of a screen, besides its cells and its cursor. */
export interface ScreenState {
  /** The sequence that sets the colours and styles of what is written next. */
  readonly pen: string;
  /** The cursor that DECRC restores. */
  readonly saved: { readonly column: number; readonly row: number; readonly pen: string };
  /** The columns of the tab stops, but for those of the first and last column. */
  readonly tabStops: readonly number[];
  /** The first row of the scroll region. */
  readonly top: number;
}

/**
 * Finds the state of the screen that is shown. xterm.js does not tell it, so this tries what the state has an effect
 * on. The screen is of no use after it.
 */
export function probeScreen(headless: HeadlessTerminal): ScreenState {
  const { terminal } = headless;
  const { active } = terminal.buffer;
  headless.write(PREPARE + ORIGIN_MODE.on);
  const top = active.cursorY;
  headless.write(ORIGIN_MODE.off);
  const pen = probePen(headless);
  headless.write('\u001b8');
  const { cursorX: column, cursorY: row } = active;
  const saved = { column, row, pen: probePen(headless) };
  headless.write(HOME);
  const tabStops: number[] = [];
  for (;;) {
    headless.write('\t');
    if (active.cursorX >= terminal.cols - 1) {
      break;
    }
    tabStops.push(active.cursorX);
  }
  return { pen, saved, tabStops, top };
}

/** The pen of a character that is written now. A cell is told to be underlined if it is part of a link, too. */
function probePen(headless: HeadlessTerminal): string {
  const cell = probeCell(headless);
  if (cell?.isUnderline() === 0) {
    return new CellPen().change(cell);
  }
  headless.write(END_LINK);
  const unlinked = probeCell(headless);
  return unlinked === undefined ? '' : new CellPen().change(unlinked);
}

function probeCell(headless: HeadlessTerminal): IBufferCell | undefined {
  headless.write(`${HOME}x`);
  const { active } = headless.terminal.buffer;
  return active.getLine(active.baseY)?.getCell(0);
}
