/** Characters that a POSIX shell takes as they are. */
const PLAIN = /^[\w@%+=:,./-]+$/;

/** An argument list as one line that a POSIX shell would split into the same list. */
export function quoteCommandLine(argv: readonly string[]): string {
  return argv.map((argument) => (PLAIN.test(argument) ? argument : quoted(argument))).join(' ');
}

function quoted(argument: string): string {
  return `'${argument.replaceAll("'", "'\\''")}'`;
}

/** A command on one line of at most `length` UTF-16 units, without control characters. */
export function oneLine(text: string, length = 200): string {
  const line = text.replace(/[\s\p{Cc}]+/gu, ' ').trim();
  if (line.length <= length) {
    return line;
  }
  // The cut must not split a surrogate pair.
  return `${line.slice(0, length - 1).replace(/[\uD800-\uDBFF]$/, '')}…`;
}
