import { quoteCommandLine, shellName } from '../launch/command.js';

/** Shells that read POSIX command lines, as agents start them. */
const SHELL = /^(?:ba|da|z|k|mk|fi)?sh$/;
/** Gemini CLI and Qwen Code note the background processes of a command, and then its exit code. */
const NOTING = [
  /\( trap '[^']*' EXIT\n([^]*)\n\)\n__code=\$\?/,
  /^(?:shopt [^;]*; )?\{ ([^]*?);? \}; ?__code=\$\?/,
];
/** Claude Code reads a snapshot of the user's shell first, and notes the folder afterwards. */
const OF_CLAUDE = /\/shell-snapshots\/|&& pwd -P >\| [^\n]+$/;
const BEFORE_COMMAND = /(?:^|&& )(?:\{ )?eval (?=['"])/;
/** A part of a word of a POSIX shell: in single quotes, in double quotes, or with no quotes. */
const PART = /'([^']*)(?:'|$)|"((?:[^"\\]|\\[^])*)"|\\([^])|([^\s'"\\;&|<>()]+)/y;

/** The command that an agent was given, for reading, without what the agent has put around it. */
export function commandText(argv: readonly string[]): string {
  const text = lineOfShell(argv);
  if (text === undefined) {
    return quoteCommandLine(argv);
  }
  const start = OF_CLAUDE.test(text) ? BEFORE_COMMAND.exec(text) : null;
  return start === null
    ? (NOTING.map((form) => form.exec(text)?.[1]).find((found) => found !== undefined) ?? text)
    : wordAt(text, start.index + start[0].length);
}

/** The command line after the `-c` of a shell; undefined for other programs. */
export function lineOfShell([program = '', ...args]: readonly string[]): string | undefined {
  const options = args.findIndex((argument) => !/^[-+]/.test(argument));
  const has = args.slice(0, options).some((option) => /^-[a-z]*c[a-z]*$/.test(option));
  return has && SHELL.test(shellName(program)) ? args[options] : undefined;
}

/** The value of one word of a shell, with its quotes undone. */
function wordAt(text: string, start: number): string {
  let word = '';
  PART.lastIndex = start;
  for (let part = PART.exec(text); part !== null; part = PART.exec(text)) {
    const [, single, double, escaped, plain] = part;
    word += single ?? double?.replace(/\\(["$`\\!])/g, '$1') ?? escaped ?? plain ?? '';
  }
  return word;
}
