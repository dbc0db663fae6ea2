import { quoteCommandLine, shellName } from './command.js';

/** Characters that PowerShell, and cmd.exe with its programs, take literally anywhere in a command line. */
const PLAIN_IN_POWERSHELL = /^[\w./:\\-]+$/;
const PLAIN_IN_CMD = /^[\w./:\\+@-]+$/;
/** PowerShell takes typographic quotes for plain ones. */
const POWERSHELL_QUOTES = /['\u2018\u2019\u201a\u201b]/g;

/**
 * Writes a program with its arguments as one line that this shell reads as the same list.
 *
 * @param shell Its path or name. An unknown shell counts as a POSIX shell.
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

/** PowerShell would print a quoted text alone as a value; the operator makes it run the program. */
function powershellLine(argv: readonly string[]): string {
  const line = argv.map((argument) =>
    PLAIN_IN_POWERSHELL.test(argument) ? argument : `'${argument.replace(POWERSHELL_QUOTES, '$&$&')}'`,
  );
  return line[0]?.startsWith("'") === true ? `& ${line.join(' ')}` : line.join(' ');
}

/**
 * Quotes an argument for cmd.exe, where only percent signs mean something inside quotes. Each goes outside the quotes,
 * after a caret, so that the name between two of them is not a variable. A file name cannot contain a quote there.
 */
function quoteForCmd(argument: string): string {
  return PLAIN_IN_CMD.test(argument) ? argument : `"${argument.replaceAll('%', '"^%"')}"`;
}

/** In fish, a backslash inside quotes means something as well, before a quote or another backslash. */
function quoteForFish(argument: string): string {
  const plain = quoteCommandLine([argument]) === argument;
  return plain ? argument : `'${argument.replace(/[\\']/g, String.raw`\$&`)}'`;
}
