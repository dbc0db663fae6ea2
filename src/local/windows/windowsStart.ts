import { type HostVariables, systemProgram } from '../../core/index.js';
import { quoteWindowsArgument, windowsCommand } from './commandText.js';

/** A program to start: its name or its path, and its arguments. */
interface StartRequest {
  readonly argv: readonly [string, ...string[]];
  /** The name that the program should see as its own. */
  readonly arg0?: string | undefined;
  readonly cwd: string;
  /** The variables of the child. */
  readonly env: HostVariables;
}

/**
 * A start in the form that Windows needs: the whole path of the program, and its arguments as one text that is passed
 * unchanged.
 */
export interface WindowsStart {
  readonly argv: readonly [string, ...string[]];
  readonly arg0: string;
  readonly verbatim: true;
}

/** Finds the file of a program. */
export type FindProgram = (request: {
  readonly program: string;
  readonly cwd: string;
  readonly env: HostVariables;
}) => Promise<string | undefined>;

/**
 * Makes a start from a request: Windows itself finds neither `npm.cmd` for `npm`, nor the program that runs it.
 *
 * @returns undefined if there is no such program.
 * @throws ExecError if its arguments cannot be passed to it.
 */
export async function windowsStart(
  { argv, arg0, cwd, env }: StartRequest,
  find: FindProgram,
): Promise<WindowsStart | undefined> {
  const [program, ...args] = argv;
  const found = await find({ program, cwd, env });
  if (found === undefined) {
    return undefined;
  }
  const cmdFile = systemProgram('cmd.exe', process.env);
  const { file, text } = windowsCommand({ file: found, args, program, cwd }, cmdFile);
  return {
    argv: text === '' ? [file] : [file, text],
    arg0: quoteWindowsArgument(arg0 ?? file),
    verbatim: true,
  };
}
