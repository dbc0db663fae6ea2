import { closeSync, readdirSync, readFileSync, stat } from 'node:fs';

import { maskSecrets, oneLine, systemClock } from '../core/index.js';
import type { AnyCommand } from './commandLine.js';
import { faultLimit } from './programEnd.js';
import { plainMcpCommand } from './mcp/plainMcpCommand.js';
import { isStartError, StartError } from './listen/startError.js';

/** Node itself marks the descriptors up to this one close-on-exec as it starts, and those after them without a gap. */
const LAST_MARKED_BY_NODE = 15;
/** `O_CLOEXEC` on Linux. */
const CLOSE_ON_EXEC = 0o2000000;

/** The longest line of the log, in characters: room for an error with its stack. */
const LONGEST_LINE = 4_000;

let say = (line: string): void => {
  process.stderr.write(`${line}\n`);
};

function log(line: string): void {
  say(oneLine(maskSecrets(line), LONGEST_LINE));
}

async function commandOf(args: readonly string[]): Promise<AnyCommand> {
  const plain = plainMcpCommand(args);
  if (plain !== undefined) {
    return plain;
  }
  const { parseCommandLine } = await import('./commandLine.js');
  const output = {
    out: (text: string) => void process.stdout.write(text),
    error: (text: string) => void process.stderr.write(text),
  };
  return parseCommandLine(args, output, process.env);
}

/**
 * Each command loads its own part: the client of `mcp` waits until it has an answer.
 *
 * @returns the exit code, or undefined if the server runs now.
 */
async function main(): Promise<number | undefined> {
  const command = await commandOf(process.argv.slice(2));
  switch (command.kind) {
    case 'exit':
      return command.code;
    case 'bridge': {
      const { bridge, bridgeToSessions, defaultFolder, socketIn } = await import('./programs.js');
      if (command.sessions) {
        if ((await bridgeToSessions(__dirname, systemClock, log)) === 'server') {
          throw new StartError('the session server has ended the connection');
        }
        return 0;
      }
      const file = command.socket ?? socketIn(defaultFolder(process.env));
      if ((await bridge(file, __filename, systemClock)) === 'server') {
        throw new StartError(`the server on ${file} has ended the connection`);
      }
      return 0;
    }
    case 'uninstall': {
      const { uninstall } = await import('./programs.js');
      return uninstall(command.force, process.env, systemClock);
    }
    case 'mcp': {
      await makeThreads();
      const { runMcp } = await import('./mcp/mcp.js');
      await runMcp(command, log);
      return 0;
    }
    case 'sessions': {
      await makeThreads();
      const { serveSessions } = await import('./programs.js');
      await serveSessions(command, log, (write) => (say = write));
      return undefined;
    }
    case 'serve': {
      await makeThreads();
      const { serve } = await import('./programs.js');
      await serve(command, log);
      return undefined;
    }
  }
}

closeInherited();
// Errors of output are ignored: the program that started this one may be gone, which is no reason to end.
process.stdout.on('error', () => undefined);
process.stderr.on('error', () => undefined);
process.on(
  'uncaughtException',
  faultLimit(systemClock, log, () => process.kill(process.pid, 'SIGTERM')),
);

/**
 * Closes the files that the starter of this program had open, such as the lock of a script. They would stay open as long
 * as this program runs, and in each session that it starts. This program's own files are all close-on-exec so far.
 */
function closeInherited(): void {
  for (const descriptor of openDescriptors()) {
    if (descriptor > LAST_MARKED_BY_NODE && !isCloseOnExec(descriptor)) {
      closeSync(descriptor);
    }
  }
}

/** Empty without `/proc`. On macOS Node hands on no files, so there is nothing to close. */
function openDescriptors(): readonly number[] {
  try {
    return readdirSync('/proc/self/fdinfo').map(Number);
  } catch {
    return [];
  }
}

function isCloseOnExec(descriptor: number): boolean {
  try {
    const [, flags = ''] =
      /^flags:\s*(\d+)$/m.exec(readFileSync(`/proc/self/fdinfo/${descriptor}`, 'utf8')) ?? [];
    return (Number.parseInt(flags, 8) & CLOSE_ON_EXEC) !== 0;
  } catch {
    return true; // The folder itself was open as it was read.
  }
}

/**
 * Makes the threads on which Node reads files and looks up names.
 *
 * libuv makes all of them (four, or as many as `UV_THREADPOOL_SIZE` says) at the first call that needs one. It aborts
 * the process if it cannot. A command of any session can use up the user's limit of processes, so this comes before
 * everything else. A start that fails looks for the reason in files, and would otherwise end all sessions. At the limit
 * the abort happens here, with nothing to lose yet; Node has no way to ask first.
 */
function makeThreads(): Promise<void> {
  // One call is enough for all of them. Whether the file is there does not matter.
  return new Promise((resolve) => stat(__filename, () => resolve()));
}

main().then(
  (code) => {
    if (code !== undefined) {
      process.exit(code);
    }
  },
  (error: unknown) => {
    if (isStartError(error)) {
      // These words are our own. They name options, whose names look like those of secrets.
      say(`Error: ${error.message}`);
    } else {
      log(`Error: ${String(error)}`);
    }
    process.exit(1);
  },
);
