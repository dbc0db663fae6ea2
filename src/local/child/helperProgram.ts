import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';

import { ExecError, type HostVariables, workingDirectory } from '../../core/index.js';
import { makeSureOfDescriptors } from './systemRoom.js';
import type { Guard } from '../guard/guard.js';
import type { OpenTerminals } from './openTerminals.js';
import { identify } from '../stop/posixSession.js';
import { findProgram } from './program.js';
import { withoutMark } from '../marks/sessionMark.js';
import { windowsStart, type WindowsStart } from '../windows/windowsStart.js';

/** The options of a helper: a program that people do not see and that serves this process over pipes. */
export interface HelperOptions {
  readonly cwd?: string;
  readonly env?: HostVariables;
  /** Makes it the leader of a POSIX session, which the guard ends if this process dies. */
  readonly detached: boolean;
  /** Gives it the null device as its standard input. */
  readonly noInput?: boolean;
  readonly windowsHide: boolean;
}

/**
 * Starts a helper that cannot reach the terminals of this process and does not outlive it.
 *
 * @throws ExecError if there is no such program, or its arguments cannot be passed to it; the error of the system if it
 *   cannot be started.
 */
export async function startHelper(
  argv: readonly [string, ...string[]],
  { env: variables = process.env, cwd, noInput = false, ...options }: HelperOptions,
  openTerminals: OpenTerminals,
  guard: Guard | undefined,
): Promise<ChildProcess> {
  const env = withoutMark(variables);
  const start: Pick<WindowsStart, 'argv'> & Partial<WindowsStart> =
    process.platform === 'win32' ? await windowsHelper(argv, cwd ?? workingDirectory(), env) : { argv };
  const [program, ...args] = start.argv;
  makeSureOfDescriptors();
  const child = spawn(program, args, {
    ...options,
    argv0: start.arg0 ?? program,
    ...(cwd !== undefined && { cwd }),
    env,
    windowsVerbatimArguments: start.verbatim ?? false,
    stdio: openTerminals.shield([noInput ? 'ignore' : 'pipe', 'pipe', 'pipe']),
  });
  if (child.pid === undefined) {
    const [error] = (await once(child, 'error')) as [Error];
    throw error;
  }
  const identity = identify(child.pid);
  guard?.watch(identity);
  child.once('exit', () => guard?.unwatchWhenEmpty(identity));
  return child;
}

async function windowsHelper(
  argv: readonly [string, ...string[]],
  cwd: string,
  env: HostVariables,
): Promise<WindowsStart> {
  const start = await windowsStart({ argv, cwd, env }, findProgram);
  if (start === undefined) {
    throw new ExecError({ kind: 'programNotFound', program: argv[0], cwd });
  }
  return start;
}
