import { execErrors } from './errors.js';
import type { TerminalSize } from './execBackend.js';

/** @throws ExecError for a size that no terminal can have. */
export function checkSize({ columns, rows }: TerminalSize): void {
  const possible = (cells: number) => Number.isInteger(cells) && cells >= 1 && cells <= 65_535;
  if (!possible(columns) || !possible(rows)) {
    throw execErrors.badSize(columns, rows);
  }
}
