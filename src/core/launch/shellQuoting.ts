import { quoteCommandLine, shellName } from './command.js';

/** Characters that PowerShell, and cmd.exe with its programs, take literally in any place of a command line. */
const PLAIN_IN_POWERSHELL = /^[\w./:\\-]+$/;
const PLAIN_IN_CMD = /^[\w./:\\+@-]+$/;
/** PowerShell takes typographic quotes for plain ones. */
const POWERSHELL_QUOTES = /['\u2018\u2019\u201a\u201b]/g;

/**
 * A program with arguments as one line that this shell reads as the same list.
 *
 * @param shell Its path or name. One that is not known is taken for a POSIX shell.
 */
export function commandLineFor(shell: string, argv: readonly string[]): string {
  switch (shellName(shell)) {
    case 'cmd':
      return argv.map(quoteForCmd).join(' ');
    case 'powershell':
    case 'pwsh':
      return powershellLine(argv);
    case 'fish':
      return argv.map(quoteForFish).join(' ');
    default:
      return quoteCommandLine(argv);
  }
}

/** A quoted text alone would be a value, which PowerShell prints: the operator runs it. */
function powershellLine(argv: readonly string[]): string {
  const line = argv.map((argument) =>
    PLAIN_IN_POWERSHELL.test(argument) ? argument : `'${argument.replace(POWERSHELL_QUOTES, '$&$&')}'`,
  );
  return line[0]?.startsWith("'") === true ? `& ${line.join(' ')}` : line.join(' ');
}

/**
 * In quotes only percent signs mean something to cmd.exe: they are put outside, behind a caret, which makes of the name
 * between them one that no variable has. A quote itself cannot be in the name of a file there.
 */
function quoteForCmd(argument: string): string {
  return PLAIN_IN_CMD.test(argument) ? argument : `"${argument.replaceAll('%', '"^%"')}"`;
}

/** In quotes of fish a backslash means something as well, before a quote or another backslash. */
function quoteForFish(argument: string): string {
  const plain = quoteCommandLine([argument]) === argument;
  return plain ? argument : `'${argument.replace(/[\\']/g, String.raw`\$&`)}'`;
}
