import { statSync } from 'node:fs';
import path from 'node:path';

import {
  delay,
  directoryThere,
  type ExecProcess,
  type ExitStatus,
  isExecError,
  launchRequest,
  type MetadataPatch,
  startParams,
  type VariableChanges,
} from '../../core/index.js';
import { CliError, ExitCode } from '../exitCodes.js';
import { terminalSize } from '../client/sizeAndFocus.js';
import { type Console, remark, say } from '../console.js';
import type { Connected } from '../connected.js';
import { startMachine } from '../machines.js';
import { connectPlace, type Place } from '../places.js';
import { leavingCode } from './leaving.js';

export interface RunOptions {
  readonly argv: readonly string[];
  readonly title?: string | undefined;
  readonly pipes: boolean;
  /** Whether what is typed or written here goes to the program. */
  readonly input: boolean;
  readonly detach: boolean;
  readonly cwd?: string | undefined;
  readonly env: VariableChanges;
  readonly keep: boolean;
  /** Whether it runs in a sandbox, which lets it write to these directories too, and use the network. */
  readonly sandbox?: boolean | undefined;
  readonly write?: readonly string[] | undefined;
  readonly network?: boolean | undefined;
  /** Where it runs; this machine by default. */
  readonly on?: Place | undefined;
}

/** Starts a session, and shows it here until its end, unless it is detached at once. */
export async function run(console: Console, options: RunOptions): Promise<number> {
  const { on } = options;
  const cwd = on === undefined ? directoryOf(console, options.cwd) : options.cwd;
  const machine = on === undefined ? await startMachine(console) : await connectPlace(console, on);
  try {
    if (options.detach && !machine.backend.capabilities.ownership) {
      throw new CliError(
        'The server there ends what it runs with this connection, so --detach cannot be used.',
        ExitCode.ownFailure,
      );
    }
    // The code that shows a session is loaded while the server starts it: after this turn, with which the request goes
    // out.
    const client = options.detach
      ? undefined
      : delay(console.clock, 0).then(() => import('../client/terminalClient.js'));
    const process = await startSession(console, machine, { ...options, cwd });
    const { processId } = process;
    if (client === undefined) {
      say(console, processId);
      return ExitCode.done;
    }
    const { runClient } = await client;
    const leaving = await runClient(console, {
      machine,
      process,
      replayThrough: 0,
      readOnly: false,
      passedOn: ['SIGINT', 'SIGTERM'],
    });
    if (leaving.kind === 'pipeClosed') {
      // The program was started for the reader of this output: it gets the signal that it would get without a session.
      await process.signal('SIGPIPE').catch(() => undefined);
    }
    const goesOn = leaving.kind === 'detached' || (leaving.kind === 'ended' && leaving.open);
    return goesOn && on !== undefined
      ? leftThere(console, machine, process.info().exit)
      : await leavingCode(console, process, processId, leaving);
  } finally {
    machine.disconnect();
  }
}

/**
 * @param options.cwd A directory of the machine.
 * @throws CliError with the exit code for a start that has failed.
 */
export async function startSession(
  console: Console,
  { backend }: Connected,
  options: RunOptions,
): Promise<ExecProcess> {
  const {
    argv,
    title,
    pipes,
    input: takesInput,
    detach,
    cwd,
    env,
    keep,
    sandbox,
    write,
    network,
    on,
  } = options;
  const { output } = console.onTerminal;
  const input = takesInput && console.onTerminal.input;
  // A person who puts pipes around a program wants its output as it is, and the two outputs apart. A session that is to
  // be shown later gets a terminal.
  const tty = !pipes && backend.capabilities.terminals && (detach || (input && output));
  const directory = directoryThere([cwd], backend.host);
  if (directory === undefined) {
    throw new CliError(
      'The home directory there is not known. Give the whole path with --cwd.',
      ExitCode.ownFailure,
    );
  }
  const request = launchRequest(
    {
      command: { kind: 'argv', argv },
      cwd: directory,
      tty,
      pipeStdin: takesInput,
      env: { ...terminalVariables(console, tty && !detach), ...env },
      size: terminalSize(console),
      title,
      sandbox: sandbox && {
        write: on === undefined ? write?.map((folder) => directoryOf(console, folder, '--write')) : write,
        network,
      },
      origin: { kind: 'user' },
    },
    // Nothing of this machine is for another one.
    { host: backend.host, ...(on === undefined && { hostEnv: console.env }) },
  );
  const id = crypto.randomUUID();
  const params = startParams(id, request);
  try {
    return await backend.start({
      ...params,
      owned: true,
      metadata: { ...params.metadata, ...({ sessionId: id, ...(keep && { keep }) } satisfies MetadataPatch) },
    });
  } catch (error) {
    throw isExecError(error) ? new CliError(error.message, startCode(error.failure.kind)) : error;
  }
}

/** Sessions of another machine cannot be attached to from here. */
function leftThere(console: Console, { backend }: Connected, exit: ExitStatus | undefined): number {
  const { ownership } = backend.capabilities;
  const there = ownership
    ? `${exit === undefined ? 'Detached. It' : 'Exited. Its background process'} goes on there.`
    : `${exit === undefined ? 'Left' : 'Exited'}. The server there ends it with this connection.`;
  remark(console, '');
  remark(console, `[${there}]`);
  return exit?.exitCode ?? ExitCode.done;
}

/** The kind of the terminal that the program is shown in. */
function terminalVariables({ env }: Console, shownHere: boolean): VariableChanges {
  const { TERM, COLORTERM } = env;
  return shownHere && TERM !== undefined ? { TERM, COLORTERM: COLORTERM ?? null } : {};
}

function startCode(kind: string): number {
  switch (kind) {
    case 'programNotFound':
    case 'interpreterNotFound':
      return ExitCode.notFound;
    case 'programNotExecutable':
    case 'argumentsTooLong':
      return ExitCode.notExecutable;
    default:
      return ExitCode.ownFailure;
  }
}

/** @throws CliError if there is no such directory. */
function directoryOf({ cwd }: Console, wanted = '.', option = '--cwd'): string {
  const directory = path.resolve(cwd, wanted);
  if (statSync(directory, { throwIfNoEntry: false })?.isDirectory() !== true) {
    // Node puts U+FFFD for bytes that are not UTF-8.
    const why = directory.includes('\uFFFD')
      ? `The name of the directory ${directory} is not UTF-8`
      : `There is no directory ${directory}`;
    throw new CliError(`${why}. Give another one with ${option}.`, ExitCode.ownFailure);
  }
  return directory;
}
