/**
 * The marks by which VS Code knows the commands of a terminal: OSC 633, its shell integration. It decorates them, jumps
 * between them, shows their exit codes, and looks for the relative paths of their output in their directory.
 */
export interface MarkedCommand {
  readonly commandLine: string;
  /** Absent where VS Code cannot see the directory. */
  readonly cwd?: string | undefined;
  /** Proves to VS Code that the command line comes from us and not from the output. */
  readonly nonce: string;
}

/** Stands before the output of a command. */
export function commandBegins(command: MarkedCommand): string {
  const { cwd } = command;
  return [
    mark('A'),
    // Before the first prompt VS Code has no commands, and would forget the directory.
    cwd === undefined ? '' : mark('P', `Cwd=${escapeValue(cwd)}`),
    ...runs(command),
  ].join('');
}

/** Stands behind the output of a command; without a code its outcome is not known. */
export function commandEnds(exitCode: number | undefined): string {
  return exitCode === undefined ? mark('D') : mark('D', String(exitCode));
}

/**
 * Stands behind the output of a command that was said to have ended before: a second one of the same name, with the outcome.
 * It has no prompt, which VS Code would let begin where the first one ended.
 */
export function commandHadEnded(command: MarkedCommand, exitCode: number | undefined): string {
  return [...runs(command), commandEnds(exitCode)].join('');
}

function runs({ commandLine, nonce }: MarkedCommand): readonly string[] {
  const name = mark('E', escapeValue(commandLine), nonce);
  // Where the cursor has just moved, and in VS Code 1.100 always, `C` takes what stands on the screen for the name.
  return [mark('B'), name, mark('C'), name];
}

function mark(...fields: readonly string[]): string {
  return `\u001b]633;${fields.join(';')}\u0007`;
}

/** VS Code reads `\xAB` as the character of that code, and `\\` as a backslash. */
function escapeValue(value: string): string {
  return value.replaceAll(/[\u0000-\u0020;\\\u007f]/g, (character) =>
    character === '\\' ? '\\\\' : `\\x${character.charCodeAt(0).toString(16).padStart(2, '0')}`,
  );
}
