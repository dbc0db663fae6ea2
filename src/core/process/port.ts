import { ExecError } from '../errors.js';

/** @throws ExecError for a number that no TCP port has. */
export function checkPort(port: number): void {
  if (!Number.isInteger(port) || port < 1 || port > 65_535) {
    throw new ExecError({ kind: 'badPort', port });
  }
}
