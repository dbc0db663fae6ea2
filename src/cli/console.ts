import type { Clock, HostVariables } from '../core/index.js';

/** The surroundings of the program: its input, its output, and its variables. */
export interface Console {
  readonly stdin: NodeJS.ReadStream;
  readonly stdout: NodeJS.WriteStream;
  readonly stderr: NodeJS.WriteStream;
  /** Whether standard input, and standard output, are terminals. */
  readonly onTerminal: { readonly input: boolean; readonly output: boolean };
  readonly env: HostVariables;
  readonly cwd: string;
  readonly clock: Clock;
}

/** Writes a line to standard output. */
export function say({ stdout }: Console, line: string): void {
  stdout.write(`${line}\n`);
}

/** Writes a line to standard error: a remark about the work, apart from its outcome. */
export function remark({ stderr }: Console, line: string): void {
  stderr.write(`${line}\n`);
}

/** Whether colours are wanted on standard output: on terminals only, and not with NO_COLOR (https://no-color.org). */
export function wantsColours({ onTerminal, env }: Console): boolean {
  return onTerminal.output && (env['NO_COLOR'] ?? '') === '' && env['TERM'] !== 'dumb';
}

/** The width of the terminal in cells; undefined without one, and for one that has no width. */
export function widthOf({ onTerminal, stdout }: Console): number | undefined {
  return onTerminal.output && stdout.columns > 0 ? stdout.columns : undefined;
}
