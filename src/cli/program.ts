import { isUtf8 } from 'node:buffer';
import { readFileSync } from 'node:fs';
import { isatty } from 'node:tty';

import { isExecError, messageOf, systemClock, workingDirectory } from '../core/index.js';
import { CliError, EndedBySignal, ExitCode } from './exitCodes.js';
import { parseCommandLine } from './commandLine.js';
import { type Console, remark } from './console.js';

let stdout: NodeJS.WriteStream | undefined;
let stderr: NodeJS.WriteStream | undefined;

const console: Console = {
  // Each stream is made only on its first use, which takes half a millisecond.
  get stdin() {
    return process.stdin;
  },
  get stdout() {
    return (stdout ??= process.stdout.on('error', outputFailed));
  },
  get stderr() {
    // An error of standard error itself cannot be reported anywhere.
    return (stderr ??= process.stderr.on('error', () => undefined));
  },
  onTerminal: { input: isatty(0), output: isatty(1) },
  env: process.env,
  cwd: workingDirectory(),
  clock: systemClock,
};

/** Runs the command line that this program was started with, and ends the program. */
export function runProgram(): void {
  runCommand().then(exit, (error: unknown) => {
    if (error instanceof EndedBySignal) {
      process.exit(error.exitCode);
    }
    remark(console, `exec-sessions: ${messageOf(error)}`);
    const stack = error instanceof Error ? (error.stack ?? '') : '';
    (stack.match(/^    at .*/gm) ?? []).forEach((line) => remark(console, line));
    exit(ExitCode.failed);
  });
}

async function runCommand(): Promise<number> {
  const command = parseCommandLine(console, process.argv.slice(2));
  try {
    checkArguments();
    return await command.run();
  } catch (error) {
    if (!(error instanceof CliError) && !isExecError(error)) {
      throw error;
    }
    remark(console, `exec-sessions: ${messageOf(error)}`);
    (error instanceof CliError ? error.list : []).forEach((line) => remark(console, line));
    return error instanceof CliError && error.exitCode !== ExitCode.failed
      ? error.exitCode
      : command.failureCode;
  }
}

/**
 * Node puts U+FFFD for bytes that are not UTF-8, so another file would be meant than was typed. Only Linux has such names.
 *
 * @throws CliError
 */
function checkArguments(): void {
  if (
    process.platform === 'linux' &&
    process.argv.some((argument) => argument.includes('\uFFFD')) &&
    !isUtf8(readFileSync('/proc/self/cmdline'))
  ) {
    throw new CliError(
      'An argument is not UTF-8. Type it in a session instead: exec-sessions run -- bash',
      ExitCode.usage,
    );
  }
}

/** Ends this program once everything that it has written has been taken. */
function exit(code: number): void {
  const used = [stdout, stderr].filter((stream) => stream !== undefined);
  const taken = used.map((stream) => new Promise((resolve) => stream.write('', resolve)));
  void Promise.all(taken).then(() => process.exit(code));
}

function outputFailed(error: NodeJS.ErrnoException): void {
  const closed = error.code === 'EPIPE';
  if (!closed) {
    remark(console, `exec-sessions: the output cannot be written: ${error.message}`);
  }
  // The client of a session hears of it as well, and tells the session first.
  if (stdout?.listenerCount('error') === 1) {
    process.exit(closed ? ExitCode.pipeClosed : ExitCode.failed);
  }
}
