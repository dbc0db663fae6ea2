/** A command: a line for a shell, or an argument list that no shell touches. */
export type Command =
  | { readonly kind: 'commandLine'; readonly commandLine: string }
  | { readonly kind: 'argv'; readonly argv: readonly string[] };

/** A shell that runs command lines. */
export interface ShellChoice {
  /** The shell's path or name. */
  readonly shell: string;
  /** The arguments before the command line; an empty list stands for the usual arguments of this shell. */
  readonly arguments: readonly string[];
}

/** The reader of a command's output. It may also answer the command's questions. */
export interface Audience {
  readonly forAgent: boolean;
  /** Whether the command runs on a terminal, where questions can be answered. */
  readonly tty: boolean;
  /** Whether the shell reads the user's profile, as at a login; the profile sets the PATH. */
  readonly login?: boolean;
}

/** The argument list that makes the shell run one command line. */
export function shellCommand(
  choice: ShellChoice,
  commandLine: string,
  audience: Audience,
): readonly string[] {
  const before = choice.arguments.length > 0 ? choice.arguments : usualArguments(choice.shell, audience);
  const missing = audience.login === true && isPosix(choice.shell) && !before.some(isLoginOption);
  return [choice.shell, ...(missing ? ['-l'] : []), ...before, commandLine];
}

/** Whether this shell reads a file at a login; cmd.exe does not. */
export function readsProfile(shell: string): boolean {
  return shellName(shell) !== 'cmd';
}

function isPosix(shell: string): boolean {
  return !['cmd', 'powershell', 'pwsh'].includes(shellName(shell));
}

/** `-l`, `--login`, or a group of options with `l` in it, such as `-lc`. */
function isLoginOption(option: string): boolean {
  return option === '--login' || /^-[a-zA-Z]*l[a-zA-Z]*$/.test(option);
}

/**
 * The argument list of an interactive shell. On macOS it is a login shell, as in other terminals there.
 *
 * @param platform In Node's words, for example `darwin`.
 */
export function interactiveShell(shell: string, platform: string | undefined): readonly string[] {
  const loginShells = ['bash', 'zsh', 'fish', 'ksh'];
  return platform === 'darwin' && loginShells.includes(shellName(shell)) ? [shell, '-l'] : [shell];
}

/** An argument list as one line that a POSIX shell would split into the same list. */
export function quoteCommandLine(argv: readonly string[]): string {
  return argv.map(quoteArgument).join(' ');
}

/**
 * The arguments before a command line. They never make a login shell: the variables usually come from a program that
 * already started in one.
 */
function usualArguments(shell: string, audience: Audience): readonly string[] {
  switch (shellName(shell)) {
    case 'cmd':
      return ['/d', '/s', '/c'];
    case 'powershell':
    case 'pwsh':
      return ['-NoLogo', ...powershellSwitches(audience), '-Command'];
    default:
      return ['-c'];
  }
}

function powershellSwitches({ forAgent, tty, login = false }: Audience): readonly string[] {
  if (!forAgent) {
    // A person's commands get the aliases and functions of the person's profile.
    return [];
  }
  // With a profile, every output would begin with the profile's own text, and its questions would block the command.
  const noProfile = login ? [] : ['-NoProfile'];
  // Without a terminal no one sees a question, so a question fails at once. On a terminal an agent can answer it.
  return tty ? noProfile : [...noProfile, '-NonInteractive'];
}

/** The name of a shell, in small letters and without `.exe`. */
export function shellName(shell: string): string {
  const file = shell.split(/[/\\]/).at(-1) ?? shell;
  return file.toLowerCase().replace(/\.exe$/, '');
}

/** Characters that a POSIX shell takes literally. */
const PLAIN = /^[\w@%+=:,./-]+$/;

/** One argument as a POSIX shell would read it. */
export function quoteArgument(argument: string): string {
  return PLAIN.test(argument) ? argument : `'${argument.replaceAll("'", "'\\''")}'`;
}
