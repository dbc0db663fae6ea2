/**
 * The marks by which VS Code knows the commands of a terminal: OSC 633, its shell integration. VS Code decorates the
 * commands, jumps between them, shows their exit codes, and resolves relative paths in their output.
 */
interface MarkedCommand {
  readonly commandLine: string;
  /** Absent if VS Code cannot see the directory. */
  readonly cwd?: string | undefined;
  /** Proves to VS Code that the command line comes from us and not from the output. */
  readonly nonce: string;
}

/** The mark before the output of a command. */
export function commandBegins(command: MarkedCommand): string {
  const { cwd } = command;
  return [
    mark('A'),
    // Before the first prompt VS Code has no commands, and would forget the directory.
    cwd === undefined ? '' : mark('P', `Cwd=${escapeValue(cwd)}`),
    ...runs(command),
  ].join('');
}

/** The mark after the output of a command; without a code its outcome is unknown. */
export function commandEnds(exitCode: number | undefined): string {
  return exitCode === undefined ? mark('D') : mark('D', String(exitCode));
}

/**
 * The marks after the output of a command that was already marked as ended: a second command of the same name, with the
 * outcome. It has no prompt, because VS Code would let the prompt begin where the first command ended.
 */
export function commandHadEnded(command: MarkedCommand, exitCode: number | undefined): string {
  return [...runs(command), commandEnds(exitCode)].join('');
}

function runs({ commandLine, nonce }: MarkedCommand): readonly string[] {
  const name = mark('E', escapeValue(commandLine), nonce);
  // The `C` mark takes the text on the screen for the name if the cursor has just moved, and always in VS Code 1.100.
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
