import { DEFAULT_TERMINAL_SIZE, type TerminalSize } from '../../core/index.js';

/** The most columns or rows of a terminal that is drawn. No screen has more, and VS Code can draw far more. */
const MOST_CELLS = 1_000;

/** The size that a server names, if a terminal can be drawn in it; otherwise the default. */
export function drawableSize(size: TerminalSize | undefined): TerminalSize {
  const drawable = (cells: number) => Number.isInteger(cells) && cells >= 1 && cells <= MOST_CELLS;
  return size !== undefined && drawable(size.columns) && drawable(size.rows) ? size : DEFAULT_TERMINAL_SIZE;
}
