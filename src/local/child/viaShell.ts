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

/**
 * The start of a shell that becomes the program. A shell sets the umask and the limits. On a terminal it also names the
 * program, for which node-pty passes the program's path. A start that needs neither stays as it is.
 *
 * @throws ExecError if the program needs another name and there is no bash.
 */
export function viaShell<S extends Start>(start: S, find = findBash): S {
  const { arg0, argv, shellLines, size } = start;
  if (shellLines.length === 0 && (arg0 === undefined || size === undefined)) {
    return start;
  }
  const bash = find();
  if (bash === undefined && arg0 !== undefined) {
    throw new ExecError({ kind: 'noBash' });
  }
  const restored = SHELL_VARIABLES.map((name) => {
    const value = start.env[name];
    return value === undefined ? `unset ${name}` : `export ${name}=${quoteArgument(beforeExec(name, value))}`;
  });
  // With -p bash runs no file that a variable names, and keeps variables with odd names.
  const shell: readonly [string, ...string[]] = bash === undefined ? ['/bin/sh'] : [bash, '-p'];
  const exec = arg0 === undefined ? 'exec "$@"' : 'exec -a "$0" -- "$@"';
  const script = [...shellLines, ...restored, exec].join('; ');
  return { ...start, argv: [...shell, '-c', script, arg0 ?? '-', ...argv], arg0: undefined };
}

/** The value before bash executes a program in its own place: it then subtracts one from its shell level. */
function beforeExec(name: string, value: string): string {
  return name === 'SHLVL' && /^\d+$/.test(value) ? String(Number(value) + 1) : value;
}
