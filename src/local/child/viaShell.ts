import { ExecError, quoteArgument, type TerminalSize } from '../../core/index.js';
import { findBash } from '../pipes/makePipes.js';
import type { ChildRequest } from './child.js';

/** The variables that a shell adds to those of the program that takes its place. */
const SHELL_VARIABLES = ['PWD', 'OLDPWD', 'SHLVL', '_'];

/** A start that may need a shell. */
interface Start extends ChildRequest {
  readonly size: TerminalSize | undefined;
  /** The commands for a shell that come before the program. */
  readonly shellLines: readonly string[];
}

/** A program that `env`, which starts it in a sandbox, would take for an option or a variable. */
const ODD_PROGRAM = /^-|=/;

/**
 * The start of a shell that becomes the program. A shell sets the umask and the limits. On a terminal it also names the
 * program, for which node-pty passes the program's path. In a sandbox it does so without a terminal too. A start that
 * needs none of that stays as it is.
 *
 * @throws ExecError if the program needs another name and there is no bash.
 */
export function viaShell<S extends Start>(start: S, { find = findBash, inSandbox = false } = {}): S {
  const { arg0, argv, shellLines, size } = start;
  const isNamed = arg0 !== undefined && (size !== undefined || inSandbox);
  const isOdd = inSandbox && ODD_PROGRAM.test(argv[0]);
  if (shellLines.length === 0 && !isNamed && !isOdd) {
    return start;
  }
  const bash = find();
  if (bash === undefined && (arg0 !== undefined || isOdd)) {
    throw new ExecError({ kind: 'noBash' });
  }
  const restored = SHELL_VARIABLES.map((name) => {
    const value = start.env[name];
    return value === undefined ? `unset ${name}` : `export ${name}=${quoteArgument(beforeExec(name, value))}`;
  });
  // With -p bash runs no file that a variable names, and keeps variables with odd names. With --norc it runs no file
  // of the user if its input is a socket.
  const shell: readonly [string, ...string[]] = bash === undefined ? ['/bin/sh'] : [bash, '--norc', '-p'];
  const named = arg0 === undefined ? 'exec -- "$@"' : 'exec -a "$0" -- "$@"';
  const exec = bash === undefined ? 'exec "$@"' : named;
  const script = [...shellLines, ...restored, exec].join('; ');
  return { ...start, argv: [...shell, '-c', script, arg0 ?? '-', ...argv], arg0: undefined };
}

/** The value before bash executes a program in its own place: it then subtracts one from its shell level. */
function beforeExec(name: string, value: string): string {
  return name === 'SHLVL' && /^\d+$/.test(value) ? String(Number(value) + 1) : value;
}
