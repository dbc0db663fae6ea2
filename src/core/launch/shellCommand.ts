/** Which shell runs command lines, and on what kind of machine. */
export interface ShellChoice {
  /** Its path or name. */
  readonly shell: string;
  /** What comes before the command line; an empty list stands for what this shell usually wants. */
  readonly arguments: readonly string[];
  readonly platform: 'posix' | 'macos' | 'windows';
}

/** The argument list that has the shell run one command line. */
export function shellCommand(choice: ShellChoice, commandLine: string): readonly string[] {
  const before = choice.arguments.length > 0 ? choice.arguments : usualArguments(choice.shell);
  return [choice.shell, ...before, commandLine];
}

/** The argument list of the shell itself, to type into. On macOS it is a login shell, as terminals there are. */
export function interactiveShell({ shell, platform }: ShellChoice): readonly string[] {
  const loginShells = ['bash', 'zsh', 'fish', 'ksh'];
  return platform === 'macos' && loginShells.includes(shellName(shell)) ? [shell, '-l'] : [shell];
}

function usualArguments(shell: string): readonly string[] {
  switch (shellName(shell)) {
    case 'cmd':
      return ['/d', '/s', '/c'];
    case 'powershell':
    case 'pwsh':
      return ['-NoLogo', '-Command'];
    default:
      return ['-c'];
  }
}

function shellName(shell: string): string {
  const file = shell.split(/[/\\]/).at(-1) ?? shell;
  return file.toLowerCase().replace(/\.exe$/, '');
}
