import { quoteCommandLine, shellName } from '../launch/command.js';

/** Shells that read POSIX command lines, as agents start them. */
const SHELL = /^(?:ba|da|z|k|mk|fi)?sh$/;
/**
 * Claude Code reads a snapshot of the user's shell before a command, and notes the folder after it. Gemini CLI notes
 * the exit code.
 */
const AROUND = [
  {
    begins: /^(?:source \S*\/shell-snapshots\/|eval ')/,
    ...{ before: "eval '", last: "'", after: ' && pwd -P >| ' },
  },
  { begins: /^shopt /, before: "' EXIT\n", last: '\n)', after: '\n__code=' },
] as const;

/** The command that an agent was given, for reading, without what the agent has put around it. */
export function commandText([program = '', ...args]: readonly string[]): string {
  const place = args.findIndex((argument) => !/^[-+]/.test(argument));
  const text = args[place];
  const isLine = args.slice(0, place).some((option) => /^-[a-z]*c[a-z]*$/.test(option));
  if (text === undefined || !isLine || !SHELL.test(shellName(program))) {
    return quoteCommandLine([program, ...args]);
  }
  for (const { begins, before, last, after } of AROUND) {
    const start = text.indexOf(before) + before.length;
    const end = text.lastIndexOf(last, text.lastIndexOf(after));
    if (begins.test(text) && start >= before.length && end > start) {
      return text.slice(start, end).replace(/'(?:"'"|\\')'/g, "'");
    }
  }
  return text;
}
