import { isatty } from 'node:tty';

import { isExecError, messageOf, systemClock } from '../core/index.js';
import { CliError } from './cliError.js';
import { parseCommandLine } from './commandLine.js';
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

async function main(): Promise<number> {
  const command = parseCommandLine(console, process.argv.slice(2));
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

process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  const closed = error.code === 'EPIPE';
  if (!closed) {
    remark(console, `exec-sessions: the output cannot be written: ${error.message}`);
  }
  // A client of a session hears of it as well, and tells the session first.
  if (process.stdout.listenerCount('error') === 1) {
    process.exit(closed ? ExitCode.pipeClosed : ExitCode.failed);
  }
});
// Nobody is left who could be told.
process.stderr.on('error', () => undefined);

main().then(exit, (error: unknown) => {
  remark(
    console,
    `exec-sessions: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}`,
  );
  exit(ExitCode.failed);
});
