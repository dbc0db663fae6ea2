/** Characters that a POSIX shell takes as they are. */
const PLAIN = /^[\w@%+=:,./-]+$/;

/** An argument list as one line that a POSIX shell would take apart into the same list. */
export function quoteCommandLine(argv: readonly string[]): string {
  return argv.map(quoteArgument).join(' ');
}

function quoteArgument(argument: string): string {
  return PLAIN.test(argument) ? argument : `'${argument.replaceAll("'", "'\\''")}'`;
}
