import {
  type ExecProcess,
  isExecError,
  launchRequest,
  startParams,
  type VariableChanges,
} from '../../core/index.js';
import type { Machine } from '../../machine/index.js';
import { CliError } from '../cliError.js';
import { terminalSize } from '../client/sizeAndFocus.js';
import { runClient } from '../client/terminalClient.js';
import { type Console, say } from '../console.js';
import { ExitCode } from '../exitCodes.js';
import { startMachine } from '../machines.js';
import { directoryOf } from '../directory.js';
import { leavingCode } from './leaving.js';

export interface RunOptions {
  readonly argv: readonly string[];
  readonly title?: string | undefined;
  readonly pipes: boolean;
  readonly detach: boolean;
  readonly cwd?: string | undefined;
  readonly env: VariableChanges;
  readonly keep: boolean;
}

/** Starts a session, and shows it here until its end, unless it is detached at once. */
export async function run(console: Console, options: RunOptions): Promise<number> {
  const cwd = directoryOf(console, options.cwd);
  const machine = await startMachine(console);
  try {
    const process = await start(console, machine, options, cwd);
    const { processId } = process;
    if (options.detach) {
      say(console, processId);
      return ExitCode.done;
    }
    const leaving = await runClient(console, {
      machine,
      process,
      replayThrough: 0,
      readOnly: false,
      passedOn: ['SIGINT', 'SIGTERM'],
    });
    if (leaving.kind === 'pipeClosed') {
      // The program was started for who reads here: it is told as it would be without a session.
      await process.signal('SIGPIPE').catch(() => undefined);
    }
    return leavingCode(console, processId, leaving);
  } finally {
    machine.disconnect();
  }
}

async function start(
  console: Console,
  machine: Machine,
  { argv, title, pipes, detach, env, keep }: RunOptions,
  cwd: string,
): Promise<ExecProcess> {
  const { input, output } = console.onTerminal;
  // Who has pipes around a program wants its output as it is, and the two outputs apart. One that is to be shown later
  // gets a terminal.
  const tty = !pipes && machine.backend.capabilities.terminals && (detach || (input && output));
  const request = launchRequest(
    {
      command: { kind: 'argv', argv },
      cwd,
      tty,
      pipeStdin: true,
      env: { ...terminalVariables(console, tty && !detach), ...env },
      size: terminalSize(console),
      title,
      origin: { kind: 'user' },
    },
    { host: machine.backend.host, hostEnv: console.env },
  );
  const id = crypto.randomUUID();
  const params = startParams(id, request);
  try {
    return await machine.backend.start({
      ...params,
      owned: true,
      metadata: { ...params.metadata, sessionId: id, ...(keep && { keep }) },
    });
  } catch (error) {
    throw isExecError(error) ? new CliError(error.message, startCode(error.failure.kind)) : error;
  }
}

/** The kind of the terminal that the program is shown in. */
function terminalVariables({ env }: Console, shownHere: boolean): VariableChanges {
  const { TERM, COLORTERM } = env;
  return shownHere && TERM !== undefined ? { TERM, COLORTERM: COLORTERM ?? null } : {};
}

function startCode(kind: string): number {
  switch (kind) {
    case 'programNotFound':
      return ExitCode.notFound;
    case 'programNotExecutable':
      return ExitCode.notExecutable;
    default:
      return ExitCode.ownFailure;
  }
}
