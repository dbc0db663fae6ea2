import type { HeadlessTerminal } from '../headless.js';

import { CellPen } from './cellPen.js';

/** Ends what is incomplete, a link, and insert mode. */
const PREPARE = '\u0018\u001b]8;;\u0007\u001b[4l';
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

function probePen(headless: HeadlessTerminal): string {
  headless.write(`${HOME}x`);
  const { active } = headless.terminal.buffer;
  const cell = active.getLine(active.baseY)?.getCell(0);
  return cell === undefined ? '' : new CellPen().change(cell);
}
