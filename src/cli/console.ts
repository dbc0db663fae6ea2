import { type Clock, type HostVariables, shorten, withoutUnseen } from '../core/index.js';

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

/** A part of a line, and its colour on terminals with colours. */
export interface Painted {
  readonly text: string;
  readonly colour?: Colour | undefined;
}

export type Line = string | readonly Painted[];
export type Colour = 'bold' | 'dim' | 'green' | 'red' | 'yellow';

const CODES: Readonly<Record<Colour, number>> = { bold: 1, dim: 2, red: 31, green: 32, yellow: 33 };
/** The longest remark, in characters: room for the reason that a server gives. */
const LONGEST_REMARK = 2_000;

/** Writes lines to standard output, all together: the reader may want only the first. */
export function say(console: Console, ...lines: readonly Line[]): void {
  console.stdout.write(lines.map((line) => `${lineText(console, line)}\n`).join(''));
}

/** Writes a line to standard error: a remark about the work, apart from its outcome. */
export function remark({ stderr }: Console, line: string): void {
  stderr.write(`${shorten(withoutUnseen(line), LONGEST_REMARK)}\n`);
}

/** Makes one line, whatever others have put into its text, without controls and other invisible characters. */
export function lineText(console: Console, line: Line): string {
  const colours = wantsColours(console);
  const parts = typeof line === 'string' ? [{ text: line }] : line;
  return parts
    .map(({ text, colour }: Painted) => {
      const plain = withoutUnseen(text);
      return colours && colour !== undefined ? `\u001b[${CODES[colour]}m${plain}\u001b[0m` : plain;
    })
    .join('');
}

/** Whether colours are wanted on standard output: on terminals only, and not with NO_COLOR (https://no-color.org). */
function wantsColours({ onTerminal, env }: Console): boolean {
  return onTerminal.output && (env['NO_COLOR'] ?? '') === '' && env['TERM'] !== 'dumb';
}

/** The width of the terminal in cells; undefined without one, and for one that has no width. */
export function widthOf({ onTerminal, stdout }: Console): number | undefined {
  return onTerminal.output && stdout.columns > 0 ? stdout.columns : undefined;
}
