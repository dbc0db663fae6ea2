import path from 'node:path';

import {
  checkNul,
  checkSize,
  childVariables,
  DEFAULT_TERMINAL_SIZE,
  ExecError,
  type HostVariables,
  type Inherited,
  isTooLong,
  type StartParams,
  type TerminalSize,
} from '../../core/index.js';
import { viaShell } from './viaShell.js';
import type { Child, ChildRequest, ChildSink } from './child.js';
import { ExecFailedError } from './execWatch.js';
import { shellLinesFor } from './inherited.js';
import { loadNodePty } from './nodePty.js';
import type { OpenTerminals } from './openTerminals.js';
import { startPipeChild } from './pipeChild.js';
import type { ChildPipes, StreamPlan } from '../pipes/childPipes.js';
import { makeSureOfRoom } from './systemRoom.js';
import { hostWithMark, replaceMark } from '../marks/sessionMark.js';
import { checkProgram, findProgram } from './program.js';
import { systemErrorText } from '../systemErrors.js';
import { startTerminalChild } from './terminalChild.js';
import { windowsStart } from '../windows/windowsStart.js';
import { startWindowsTerminalChild } from '../windows/windowsTerminalChild.js';

/** A checked start. A start with a size is on a terminal. */
export interface PreparedStart extends ChildRequest, StreamPlan {
  /** The mark in its variables; undefined if they have no mark. */
  readonly mark: string | undefined;
  readonly size: TerminalSize | undefined;
  /** The commands for a shell that come before the program. */
  readonly shellLines: readonly string[];
}

/**
 * Checks a request and makes the child's variables. The program and the directory are not checked on systems that
 * report a failure themselves. Four looks at files took a tenth of a start.
 *
 * @throws ExecError that names the fault.
 */
export async function prepareStart(
  params: StartParams,
  argv: readonly [string, ...string[]],
  host: { readonly env: HostVariables; readonly mark: string; readonly inherited: Inherited | undefined },
): Promise<PreparedStart> {
  const { cwd, tty } = params;
  const env = childVariables({
    host: hostWithMark(host.env, host.mark),
    policy: params.envPolicy,
    overlay: params.env,
    windows: process.platform === 'win32',
  });
  // The kernel would accept it, and every look-up would find the wrong variable.
  delete env[''];
  const mark = replaceMark(env, host.mark);
  if (argv[0] === '') {
    const message = `missing program for ${tty ? 'PTY' : 'pipe'} spawn`;
    throw new ExecError({ kind: 'programMissing' }, { message });
  }
  checkNul({ argv, arg0: params.arg0, cwd, env });
  const size = tty ? (params.size ?? DEFAULT_TERMINAL_SIZE) : undefined;
  if (size !== undefined) {
    checkSize(size);
  }
  // Without this check a failure would only be text on the terminal. An empty PATH has no directories, but systems
  // search the current one.
  const shellLines =
    params.inherited && host.inherited ? shellLinesFor(params.inherited, host.inherited) : [];
  const saidNowhere =
    shellLines.length > 0 ||
    params.sandbox !== undefined ||
    (tty && (process.platform !== 'linux' || params.arg0 !== undefined));
  if (saidNowhere || (env['PATH'] === '' && !argv[0].includes('/'))) {
    await throwIfNotThere({ argv, cwd, env });
  }
  const { arg0, pipeStdin = false, stderrToStdout = false } = params;
  return { argv, arg0, cwd, env, mark, size, shellLines, pipeStdin, stderrToStdout };
}

/**
 * @param sandboxed The command to start in place of the program.
 * @param pipes For a child without a terminal, if available.
 * @throws ExecError if the system refuses.
 */
export async function startChild(
  prepared: PreparedStart,
  sandboxed: ChildRequest | undefined,
  pipes: ChildPipes | undefined,
  sink: ChildSink,
  openTerminals: OpenTerminals,
): Promise<Child> {
  const { size } = prepared;
  try {
    const start = sandboxed
      ? { ...prepared, arg0: undefined, ...sandboxed }
      : process.platform === 'win32'
        ? await asWindowsWants(prepared)
        : viaShell(prepared);
    if (size === undefined) {
      return await startPipeChild(start, pipes, sink, openTerminals);
    }
    const pty = await loadNodePty();
    if (pty.kind === 'public') {
      return await startWindowsTerminalChild({ ...start, size }, sink, pty.spawn);
    }
    await makeSureOfRoom(openTerminals);
    return await startTerminalChild({ ...start, size }, sink, pty, openTerminals);
  } catch (error) {
    if (!(error instanceof ExecError)) {
      await throwIfNotThere(prepared);
    }
    throw startError(error, prepared);
  }
}

/** The error of a start that has failed for any reason. */
export function startError(error: unknown, { argv: [program], cwd }: ChildRequest): ExecError {
  if (error instanceof ExecError) {
    return error;
  }
  const reason = systemErrorText(error instanceof ExecFailedError ? error.message : error);
  return new ExecError(
    isTooLong(reason)
      ? { kind: 'argumentsTooLong', program, cwd }
      : { kind: 'startFailed', program, cwd, reason },
    // The system's own number for it.
    { message: reason },
  );
}

/**
 * The same start with the whole path of the program, and its arguments as one text.
 *
 * @throws ExecError if there is no such program, or its arguments cannot be passed to it.
 */
async function asWindowsWants(request: PreparedStart): Promise<PreparedStart> {
  const start = await windowsStart(request, findProgram);
  if (start === undefined) {
    await throwIfNotThere(request);
    throw new ExecError({ kind: 'programNotFound', program: request.argv[0], cwd: request.cwd });
  }
  return { ...request, ...start };
}

/** @throws ExecError that names what is missing; the system's own error does not. */
async function throwIfNotThere({ argv: [program], cwd, env }: ChildRequest): Promise<void> {
  const objection = await checkProgram({ program, cwd, env });
  if (objection !== undefined) {
    throw objection;
  }
}

/**
 * Refuses a request that the system would understand differently: a relative directory would be below our own, and
 * `A=B` would set the variable `A`. Callers without types may also pass values that are not texts.
 *
 * @throws ExecError that names the fault.
 */
export function checkForm({ argv, arg0 = '', cwd, env, envPolicy }: StartParams): void {
  const variables = { ...envPolicy?.set, ...env };
  checkTexts('an argument', argv);
  checkTexts('the name of the program', [arg0]);
  checkTexts('the working directory', [cwd]);
  checkTexts('an environment variable', Object.values(variables));
  if (envPolicy !== undefined) {
    checkTexts('a pattern of names of variables', envPolicy.exclude);
    checkTexts('a pattern of names of variables', envPolicy.includeOnly);
  }
  const name = Object.keys(variables).find((key) => key.includes('='));
  if (name !== undefined) {
    throw new ExecError({ kind: 'badVariableName', name });
  }
  if (!path.isAbsolute(cwd)) {
    throw new ExecError({ kind: 'cwdNotAbsolute', cwd });
  }
}

/** A value that is not a list at all is refused in the same words. */
function checkTexts(where: string, texts: unknown): void {
  // A hole in a list is not a text either, and `every` would skip it.
  if (!Array.isArray(texts) || !Array.from(texts).every((text) => typeof text === 'string')) {
    throw new ExecError({ kind: 'notText', where });
  }
}

/**
 * Lets one caller through in each turn of the event loop. Forks go through it: each blocks everything for a millisecond
 * or two, and many starts at once would block the loop.
 */
export class OneATurn {
  readonly #waiting: (() => void)[] = [];
  #taken = false;

  /** Resolves at once if this turn is still free, and otherwise in a later turn, in the order of the calls. */
  async pass(): Promise<void> {
    if (this.#taken) {
      await new Promise<void>((resolve) => this.#waiting.push(resolve));
    } else {
      this.#take();
    }
  }

  #take(): void {
    this.#taken = true;
    setImmediate(() => {
      const next = this.#waiting.shift();
      if (next === undefined) {
        this.#taken = false;
      } else {
        next();
        this.#take();
      }
    });
  }
}
