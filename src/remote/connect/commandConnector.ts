import { type ChildProcess, type ChildProcessByStdio, spawn } from 'node:child_process';
import { once } from 'node:events';
import type { Readable, Writable } from 'node:stream';

import {
  ExecError,
  type HostVariables,
  isExecError,
  messageOf,
  systemProgram,
  workingDirectory,
} from '../../core/index.js';
import { CLIENT_MAX_MESSAGE_BYTES, GoneError, lineTransport, type Transport } from '../../protocol/index.js';
import { ServerCommandInput, ServerCommandOutput } from './commandStreams.js';
import type { Connector } from './connector.js';
import { COMMAND_END_MS, COMMAND_TERM_MS, STDERR_CHARACTERS } from '../limits.js';

export interface CommandConnectorOptions {
  /** The program and its arguments; no shell is involved. */
  readonly argv: readonly string[];
  /**
   * The same for a connection that takes the place of one that ended; by default `argv`.
   *
   * @param tookMs The time that the last connection took to open.
   */
  readonly againArgv?: ((tookMs: number) => readonly string[]) | undefined;
  readonly cwd?: string | undefined;
  /** The complete environment of the program; this process's by default. */
  readonly env?: HostVariables | undefined;
  /** Exit codes with which the program says that the other side is gone for good. */
  readonly finalExitCodes?: readonly number[] | undefined;
  /** Starts the program; by default with `child_process`, which passes on the open file descriptors of this process. */
  readonly start?: StartProgram | undefined;
  /** The name of the target, for people; by default the command line. */
  readonly label?: string | undefined;
  /** Talks with the program before the server does. It must leave what the server says in `output`. */
  readonly begin?: BeginTalk | undefined;
}

/** Rejects with an ExecError, or with the error of `output`, which says how the program has ended. */
export type BeginTalk = (output: Readable, input: Writable, signal: AbortSignal) => Promise<void>;

/**
 * Starts a program with pipes for its standard input and outputs. Resolves in the turn in which it was started; rejects
 * with an ExecError, or with the error of the system.
 */
type StartProgram = (
  argv: readonly [string, ...string[]],
  options: {
    readonly cwd?: string;
    readonly env?: HostVariables;
    readonly detached: boolean;
    readonly windowsHide: boolean;
  },
) => Promise<ChildProcess>;

const startWithPipes: StartProgram = async ([program, ...args], { env, ...options }) => {
  const child = spawn(program, args, {
    ...options,
    ...(env !== undefined && { env: { ...env } }),
    stdio: 'pipe',
  });
  if (child.pid === undefined) {
    const [error] = (await once(child, 'error')) as [Error];
    throw error;
  }
  return child;
};

type ServerCommand = ChildProcessByStdio<Writable, Readable, Readable>;

/**
 * Reaches a server through a program that relays its messages on standard input and output. The program ends with the
 * transport.
 */
export function commandConnector(options: CommandConnectorOptions): Connector {
  const { argv, againArgv, label = labelOf(argv) } = options;
  let tookMs = 0;
  return {
    label,
    isCommand: true,
    limitsItself: options.begin !== undefined,
    connect: async (signal, again = false) => {
      const since = performance.now();
      const now = again ? againArgv?.(tookMs) : undefined;
      const transport = await open({ ...options, argv: now ?? argv }, label, signal);
      tookMs = performance.now() - since;
      return transport;
    },
  };
}

function labelOf(argv: readonly string[]): string {
  return argv.map((part) => (/[\s"]/.test(part) ? JSON.stringify(part) : part)).join(' ');
}

const POSIX = process.platform !== 'win32';

async function open(
  { argv, cwd, env, finalExitCodes = [], start = startWithPipes, begin }: CommandConnectorOptions,
  label: string,
  signal: AbortSignal,
): Promise<Transport> {
  const [program = '', ...args] = argv;
  signal.throwIfAborted();
  if (program === '') {
    throw new ExecError({ kind: 'programMissing' });
  }
  const started = start([program, ...args], {
    ...(cwd !== undefined && { cwd }),
    ...(env !== undefined && { env }),
    // The program gets a process group of its own, so that its child processes end with it.
    detached: POSIX,
    windowsHide: true,
  });
  const child = await started.catch((error: unknown) => {
    throw isExecError(error) ? error : spawnFailure(error as NodeJS.ErrnoException, program, cwd, label);
  });
  if (!hasPipes(child)) {
    throw new Error(`The command ${label} was started without pipes.`);
  }
  return transportOf(child, { label, finalExitCodes, begin, signal });
}

interface TransportMaking {
  readonly label: string;
  readonly finalExitCodes: readonly number[];
  readonly begin: BeginTalk | undefined;
  readonly signal: AbortSignal;
}

function hasPipes(child: ChildProcess): child is ServerCommand {
  return child.stdin !== null && child.stdout !== null && child.stderr !== null;
}

async function transportOf(
  child: ServerCommand,
  { label, finalExitCodes, begin, signal }: TransportMaking,
): Promise<Transport> {
  let said = '';
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    said = (said + text).slice(-STDERR_CHARACTERS);
  });
  const output = new ServerCommandOutput(child, () => endError(child, said, finalExitCodes));
  const input = new ServerCommandInput(child.stdin);
  try {
    await begin?.(output, input, signal);
  } catch (error) {
    output.destroy();
    endCommand(child);
    throw isExecError(error) || error instanceof GoneError || signal.aborted
      ? error
      : new ExecError({ kind: 'serverCommandEnded', target: label, reason: messageOf(error) });
  }
  const transport = lineTransport(output, input, {
    peer: `command ${label}`,
    signs: () => ({ received: output.received, handed: input.handed, waiting: input.writableLength }),
    maxLineBytes: CLIENT_MAX_MESSAGE_BYTES,
  });
  transport.onEnd(() => endCommand(child));
  return transport;
}

/** The reason of the end, for example `it ended with exit code 255: ssh: Could not resolve hostname`. */
function endError(child: ChildProcess, said: string, finalExitCodes: readonly number[]): Error {
  const lines = said.split('\n').flatMap((line) => line.trim() || []);
  const gone = finalWords(child.exitCode, lines, finalExitCodes);
  if (gone !== undefined) {
    return new GoneError(gone);
  }
  const how =
    child.signalCode !== null
      ? `it was ended by ${child.signalCode}`
      : child.exitCode === null
        ? 'it closed its output'
        : `it ended with exit code ${child.exitCode}`;
  const lastLine = lines.at(-1);
  return new Error(lastLine === undefined ? how : `${how}: ${lastLine}`);
}

/**
 * Gives a command time to end by itself, since its input has ended. Then sends SIGTERM, then kills it with its whole
 * group.
 */
function endCommand(child: ServerCommand): void {
  child.stdin.end();
  child.stderr.resume();
  if (child.exitCode !== null || child.signalCode !== null) {
    signalGroup(child, 'SIGKILL');
    return;
  }
  let timer = setTimeout(() => {
    signalGroup(child, 'SIGTERM');
    timer = setTimeout(() => signalGroup(child, 'SIGKILL'), COMMAND_TERM_MS);
  }, COMMAND_END_MS);
  child.once('exit', () => {
    clearTimeout(timer);
    signalGroup(child, 'SIGKILL');
  });
}

/**
 * Signals a command and its group. This is safe after the command has ended: a group's number is not reused before its
 * last process has ended.
 */
function signalGroup(child: ChildProcess, signal: NodeJS.Signals): void {
  const { pid } = child;
  if (pid === undefined) {
    return;
  }
  try {
    if (POSIX) {
      process.kill(-pid, signal);
    } else if (child.exitCode === null) {
      const taskkill = systemProgram('taskkill.exe', process.env);
      spawn(taskkill, ['/T', '/F', '/PID', String(pid)], { stdio: 'ignore', windowsHide: true }).unref();
    }
  } catch {
    // The group has no processes any more, or the command was started without one.
    child.kill(signal);
  }
}

function spawnFailure(
  error: NodeJS.ErrnoException,
  program: string,
  cwd: string | undefined,
  target: string,
): ExecError {
  const where = cwd ?? workingDirectory();
  if (error.code === 'ENOENT') {
    return new ExecError({ kind: 'programNotFound', program, cwd: where });
  }
  if (error.code === 'EACCES') {
    return new ExecError({ kind: 'programNotExecutable', program, cwd: where });
  }
  return new ExecError({ kind: 'serverCommandEnded', target, reason: error.message });
}

/**
 * The messages of well-known programs on stderr when their target is gone for good. A whole line has to match, and its
 * group is the reason. Other programs can say so by their exit code.
 */
const FINAL_WORDS: readonly RegExp[] = [
  // docker: https://github.com/moby/moby/blob/v28.2.2/daemon/errors.go
  /^(?:Error response from daemon|Error): ([Nn]o such container: \S+)$/,
  /^Error response from daemon: ([Cc]ontainer \S+ is not running)$/,
  // podman, and the runtimes below it
  /^Error: (can only create exec sessions on running containers: .*)$/,
  /^Error: (no container with (?:name or )?ID .*)$/i,
  /^.*(cannot exec (?:in|a|into a) (?:stopped container|container that has (?:run and )?stopped))\b.*$/,
  // kubectl
  /^Error from server \(NotFound\): (pods "[^"]*" not found)$/,
  /^error: (cannot exec into a container in a completed pod; .*)$/,
  // Slurm: https://github.com/SchedMD/slurm/blob/slurm-22-05-8-1/src/srun/libsrun/allocate.c
  /^srun: error: (Slurm job \d+ has expired)\.?$/,
  /^srun: error: .*(Job\/step already completing or completed|Invalid job id specified)$/,
  // Incus and LXD
  /^Error: (Instance (?:is not running|not found))$/,
];

/** The reason why the target is gone for good; undefined if the command does not say so. */
function finalWords(
  exitCode: number | null,
  said: readonly string[],
  finalExitCodes: readonly number[],
): string | undefined {
  if (exitCode === null || exitCode === 0) {
    return undefined;
  }
  const known = said.flatMap((line) => FINAL_WORDS.flatMap((words) => words.exec(line)?.[1] ?? [])).at(0);
  if (known !== undefined || !finalExitCodes.includes(exitCode)) {
    return known;
  }
  return said.at(-1)?.replace(/^error: /i, '') ?? `the command ended with exit code ${exitCode}`;
}
