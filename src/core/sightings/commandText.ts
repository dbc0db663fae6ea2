import { quoteCommandLine, shellName } from '../launch/command.js';

/** Shells that read POSIX command lines, as agents start them. */
const SHELL = /^(?:ba|da|z|k|mk|fi)?sh$/;
/** The lines with which Gemini CLI and older Qwen Code note background processes and the exit code of a command. */
const NOTING = [
  { before: "' EXIT\n", after: '\n)\n__code=' },
  { before: '{ ', after: '; }; __code=' },
] as const;
/** Claude Code reads a snapshot of the user's shell first, and notes the folder afterwards. */
const CLAUDE_BEGINS = /^(?:source \S*\/shell-snapshots\/|(?:\{ )?eval ['"])/;
const CLAUDE_ENDS = /&& pwd -P >\| [^\n]*claude-[\w-]+-cwd'?$/;
const CLAUDE_RUNS = /(?:^|&& )(?:\{ )?eval (?=['"])/;
/** The longest end of a text that notes the folder, in characters. */
const LONGEST_END = 1_000;
/** A part of a word of a POSIX shell: in single quotes, in double quotes, or with no quotes. */
const PART = /'([^']*)'|"((?:[^"\\]|\\[^])*)"|\\([^])|([^\s'"\\;&|<>()]+)/y;

/** The command that an agent was given, for reading, without what the agent has put around it. */
export function commandText(argv: readonly string[]): string {
  const text = lineOfShell(argv);
  return text === undefined ? quoteCommandLine(argv) : (textOfClaude(text) ?? notedText(text) ?? text);
}

function textOfClaude(text: string): string | undefined {
  const isClaudes = CLAUDE_BEGINS.test(text) && CLAUDE_ENDS.test(text.slice(-LONGEST_END));
  const start = isClaudes ? CLAUDE_RUNS.exec(text) : null;
  return start === null ? undefined : wordAt(text, start.index + start[0].length);
}

function notedText(text: string): string | undefined {
  for (const { before, after } of text.startsWith('shopt ') ? NOTING : []) {
    const start = text.indexOf(before) + before.length;
    const end = text.lastIndexOf(after);
    if (start >= before.length && end > start) {
      return text.slice(start, end);
    }
  }
  return undefined;
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
