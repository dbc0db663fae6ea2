import path from 'node:path';

import { ExecError } from '../../core/index.js';

/** The start of a program on Windows, which has no argument lists: each program splits one text by itself. */
interface WindowsCommand {
  /** The program's file. */
  readonly file: string;
  /** All arguments, as the program expects them. */
  readonly text: string;
}

/**
 * The longest line that cmd.exe takes:
 * https://learn.microsoft.com/troubleshoot/windows-client/shell-experience/command-line-string-limitation
 */
const CMD_LIMIT = 8_191;

/**
 * Makes the command that starts a file with arguments. A batch file is run by cmd.exe. It gets its command line as it
 * is written, so that quotes in it stay quotes.
 *
 * @param request `program` is the requested name; it and `cwd` are for the messages only.
 * @throws ExecError if cmd.exe would read the arguments differently.
 */
export function windowsCommand(
  request: {
    readonly file: string;
    readonly args: readonly string[];
    readonly program: string;
    readonly cwd: string;
  },
  cmdFile: string,
): WindowsCommand {
  const { file, args, program, cwd } = request;
  const batch = isBatchFile(file);
  const line = batch ? batchLine(file, args) : isCmd(file) ? givenLine(args) : undefined;
  if (line === undefined) {
    return { file, text: args.map(quoteWindowsArgument).join(' ') };
  }
  if (/[\r\n]/.test(line.command)) {
    throw new ExecError({ kind: 'cmdLineBreak', program, cwd });
  }
  if (line.command.length > CMD_LIMIT) {
    const sizes = { characters: line.command.length, limit: CMD_LIMIT };
    throw new ExecError({ kind: 'cmdTooLong', program, cwd, ...sizes });
  }
  // With /s cmd.exe removes the outer quotes and reads the rest as if it had been typed. Without it, it guesses.
  return { file: batch ? cmdFile : file, text: [...line.switches, `"${line.command}"`].join(' ') };
}

/**
 * One argument as nearly all programs read it:
 * https://learn.microsoft.com/cpp/c-language/parsing-c-command-line-arguments
 */
export function quoteWindowsArgument(argument: string): string {
  if (argument !== '' && !/[\s"]/.test(argument)) {
    return argument;
  }
  // Backslashes stand for themselves unless a quote follows.
  return `"${argument.replace(/(\\*)"/g, '$1$1\\"').replace(/\\+$/, '$&$&')}"`;
}

interface CmdLine {
  readonly switches: readonly string[];
  readonly command: string;
}

function isBatchFile(file: string): boolean {
  return /\.(?:bat|cmd)$/i.test(file);
}

function isCmd(file: string): boolean {
  return path.win32.basename(file).toLowerCase() === 'cmd.exe';
}

/**
 * The line that runs a batch file. It goes without the user's AutoRun (/d), has the extensions that
 * {@link quoteBatchArgument} needs (/e), and gives exclamation marks no meaning (/v).
 */
function batchLine(file: string, args: readonly string[]): CmdLine {
  return {
    switches: ['/d', '/e:on', '/v:off', '/s', '/c'],
    command: [`"${withoutVariables(file)}"`, ...args.map(quoteBatchArgument)].join(' '),
  };
}

/** Characters that cmd.exe and batch files take literally outside quotes. */
const PLAIN = /^[\w#$*+\-./:?@\\]+$/;

/**
 * One argument of a batch file. First cmd.exe reads it, and must find in it neither an operator (& | < > ^) nor the end
 * of the quotes. Then the program in the batch file splits it; for that program, two quotes in quotes are one. Rust's
 * standard library does the same: https://nvd.nist.gov/vuln/detail/CVE-2024-24576
 */
function quoteBatchArgument(argument: string): string {
  if (PLAIN.test(argument) && !argument.endsWith('\\')) {
    return argument;
  }
  const quoted = argument.replace(/(\\*)"/g, '$1$1""').replace(/\\+$/, '$&$&');
  return `"${withoutVariables(quoted)}"`;
}

/**
 * Keeps cmd.exe from replacing variables, which it does even in quotes; it has no way to write a percent sign. After
 * each percent sign comes an empty part of a variable that always exists: the text after it is then not a variable's
 * name.
 */
function withoutVariables(text: string): string {
  return text.replaceAll('%', '%%cd:~,%');
}

/**
 * The line in an argument list for cmd.exe: `/c` or `/k` and the rest; undefined if there is no such line. A single
 * argument is the line itself.
 */
function givenLine(args: readonly string[]): CmdLine | undefined {
  const at = args.findIndex((argument) => /^\/[ckr]$/i.test(argument));
  const before = args.slice(0, at);
  const [first, ...more] = args.slice(at + 1);
  if (at < 0 || first === undefined || !before.every((argument) => /^\/[a-z](?::\w+)?$/i.test(argument))) {
    return undefined;
  }
  const given = before.some((argument) => argument.toLowerCase() === '/s') ? [] : ['/s'];
  return {
    switches: [...before, ...given, ...args.slice(at, at + 1)],
    command:
      more.length === 0
        ? first.replace(/[\r\n]+$/, '')
        : [first, ...more].map(quoteWindowsArgument).join(' '),
  };
}
