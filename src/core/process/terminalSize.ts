import { ExecError } from '../errors.js';
import type { TerminalSize } from './execBackend.js';

/** @throws ExecError for a size that no terminal can have. */
export function checkSize(size: TerminalSize): void {
  if (!isPossibleSize(size)) {
    throw new ExecError({ kind: 'badSize', columns: size.columns, rows: size.rows });
  }
}

export function isPossibleSize({ columns, rows }: TerminalSize): boolean {
  const possible = (cells: number) => Number.isInteger(cells) && cells >= 1 && cells <= 65_535;
  return possible(columns) && possible(rows);
}
