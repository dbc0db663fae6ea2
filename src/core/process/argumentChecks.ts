import { ExecError } from '../errors.js';
import type { StartParams } from './execBackend.js';
import type { TerminalSize } from './terminalSize.js';

/**
 * Checks that no text of a start contains a NUL character: systems end a string with it.
 *
 * @throws ExecError that names the place.
 */
export function checkNul({ argv, arg0, cwd, env }: Pick<StartParams, 'argv' | 'arg0' | 'cwd' | 'env'>): void {
  const nul = '\0';
  if (argv.some((argument) => argument.includes(nul)) || arg0?.includes(nul) === true) {
    throw new ExecError({ kind: 'nulCharacter', where: 'an argument' });
  }
  if (cwd.includes(nul)) {
    throw new ExecError({ kind: 'nulCharacter', where: 'the working directory' });
  }
  if (Object.entries(env).some(([name, value]) => name.includes(nul) || value.includes(nul))) {
    throw new ExecError({ kind: 'nulCharacter', where: 'an environment variable' });
  }
}

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

/** @throws ExecError for a number that no TCP port has. */
export function checkPort(port: number): void {
  if (!Number.isInteger(port) || port < 1 || port > 65_535) {
    throw new ExecError({ kind: 'badPort', port });
  }
}
