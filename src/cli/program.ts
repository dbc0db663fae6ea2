import { isatty } from 'node:tty';

import { isExecError, messageOf, systemClock } from '../core/index.js';
import { CliError, EndedBySignal } from './cliError.js';
import { type CliCommand, parseCommandLine } from './commandLine.js';
import { type Console, remark } from './console.js';
import { ExitCode } from './exitCodes.js';

const console: Console = {
  // It is made only for who reads it.
  get stdin() {
    return process.stdin;
  },
  stdout: process.stdout,
  stderr: process.stderr,
  onTerminal: { input: isatty(0), output: isatty(1) },
  env: process.env,
  cwd: process.cwd(),
  clock: systemClock,
};

/**
 * Runs the command line that this program was started with, and ends the program.
 *
 * @param onDone Called when a command has done all that it was to do, and nothing is left but to end.
 */
export function runProgram(onDone: () => void): void {
  process.stdout.on('error', outputFailed);
  // Nobody is left who could be told.
  process.stderr.on('error', () => undefined);
  runCommand(onDone).then(exit, (error: unknown) => {
    if (error instanceof EndedBySignal) {
      process.exit(error.exitCode);
    }
    remark(
      console,
      `exec-sessions: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}`,
    );
    exit(ExitCode.failed);
  });
}

async function runCommand(onDone: () => void): Promise<number> {
  const command = parseCommandLine(console, process.argv.slice(2));
  const code = await codeOf(command);
  if (command.found && code === ExitCode.done) {
    onDone();
  }
  return code;
}

async function codeOf(command: CliCommand): Promise<number> {
  try {
    return await command.run();
  } catch (error) {
    if (!(error instanceof CliError) && !isExecError(error)) {
      throw error;
    }
    remark(console, `exec-sessions: ${messageOf(error)}`);
    return error instanceof CliError && error.exitCode !== ExitCode.failed
      ? error.exitCode
      : command.failureCode;
  }
}

/** Ends this program once everything that it has written has been taken. */
function exit(code: number): void {
  process.stdout.write('', () => process.stderr.write('', () => process.exit(code)));
}

function outputFailed(error: NodeJS.ErrnoException): void {
  const closed = error.code === 'EPIPE';
  if (!closed) {
    remark(console, `exec-sessions: the output cannot be written: ${error.message}`);
  }
  // A client of a session hears of it as well, and tells the session first.
  if (process.stdout.listenerCount('error') === 1) {
    process.exit(closed ? ExitCode.pipeClosed : ExitCode.failed);
  }
}
