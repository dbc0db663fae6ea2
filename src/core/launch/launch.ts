import type { EnvPolicy, HostVariables, Variables } from '../envPolicy.js';
import type { HostInfo, StartParams, TerminalSize } from '../execBackend.js';
import { type Command, quoteCommandLine, shellCommand, type ShellChoice } from './command.js';
import { isWindowsThere } from './directory.js';
import { sessionVariables, type VariableChanges } from './variables.js';

/**
 * The starter of a process. `name` is that of the agent or the extension; a `user` has one where something was started
 * for them that they have not asked for. `other` is a program that we know nothing about.
 */
export interface LaunchOrigin {
  readonly kind: 'user' | 'extension' | 'agent' | 'other';
  readonly name?: string;
}

/** A request for a command, as its starter makes it. */
export interface Launch {
  readonly command: Command;
  /** What people see in place of the argument list. */
  readonly shownAs?: string | undefined;
  /** An absolute path of the machine that it runs on. */
  readonly cwd: string;
  readonly tty: boolean;
  readonly pipeStdin: boolean;
  /**
   * Whether standard error has a pipe of its own. By default only with people, who see the two in colours of their own;
   * for a model the order of the lines says more.
   */
  readonly separateStderr?: boolean | undefined;
  /** Variables that win over all others; null removes one. */
  readonly env: VariableChanges;
  /** Whether the shell of a command line reads the user's profile, which costs time and may print something. */
  readonly login?: boolean | undefined;
  /** The size of the terminal; by default what the place says to people, and 80 by 24 to agents. */
  readonly size?: TerminalSize | undefined;
  readonly title?: string | undefined;
  readonly origin: LaunchOrigin;
}

/** A machine that commands run on, with facts that it does not report itself. */
export interface LaunchPlace {
  readonly host: HostInfo;
  /** The shell for command lines; {@link shellThere} by default. */
  readonly shell?: ShellChoice | undefined;
  /** The variables of the program that starts the command, if it is on the same machine. */
  readonly hostEnv?: HostVariables | undefined;
  /** A folder with programs for every command, behind those of the PATH in `hostEnv`. */
  readonly programs?: string | undefined;
  /** The changes to the variables of every command that the user's settings ask for. */
  readonly settingsEnv?: VariableChanges | undefined;
  /** The size that a terminal of a person will probably have. */
  readonly size?: TerminalSize | undefined;
  /** The version of the VS Code that draws the terminals of people; absent without one. */
  readonly vscodeVersion?: string | undefined;
}

/** Everything that is needed to start a process, and to start it again. */
export interface LaunchRequest {
  readonly argv: readonly string[];
  /** The command line that people see; by default the quoted argument list. */
  readonly commandLine?: string | undefined;
  readonly cwd: string;
  /** The variables that are laid over the outcome of `envPolicy`. */
  readonly env: Variables;
  readonly envPolicy?: EnvPolicy | undefined;
  readonly tty: boolean;
  readonly pipeStdin?: boolean | undefined;
  readonly stderrToStdout?: boolean | undefined;
  readonly size?: TerminalSize | undefined;
  readonly title?: string | undefined;
  readonly origin: LaunchOrigin;
}

/**
 * Makes the request that starts a command in a place. Everything that differs between commands of people and of agents
 * is decided in this folder, so that agents find the same however they come: through VS Code's chat, over HTTP, or
 * without VS Code.
 */
export function launchRequest(launch: Launch, place: LaunchPlace): LaunchRequest {
  const { command, cwd, tty, pipeStdin, title, origin } = launch;
  const { host, shell = shellThere(host) } = place;
  const forAgent = origin.kind === 'agent';
  const { separateStderr = !forAgent, login = false } = launch;
  // A model gets the same lines from the same command, however wide a person's last terminal was.
  const { size = forAgent ? undefined : place.size } = launch;
  return {
    ...(command.kind === 'argv'
      ? { argv: command.argv, commandLine: launch.shownAs }
      : {
          argv: shellCommand(shell, command.commandLine, { forAgent, tty, login }),
          commandLine: command.commandLine,
        }),
    cwd,
    ...sessionVariables({
      hostEnv: place.hostEnv,
      programs: place.programs,
      windows: isWindowsThere(host),
      tty,
      forAgent,
      vscodeVersion: place.vscodeVersion,
      settingsEnv: place.settingsEnv,
      env: launch.env,
    }),
    tty,
    pipeStdin,
    stderrToStdout: !tty && !separateStderr,
    size: tty ? size : undefined,
    title,
    origin,
  };
}

/** Makes the parameters for a backend from a request. The metadata is for other programs that look at the backend. */
export function startParams(processId: string, request: LaunchRequest): StartParams {
  const { title, origin, argv, cwd, env, envPolicy, tty, pipeStdin, stderrToStdout, size } = request;
  return {
    processId,
    argv,
    cwd,
    env,
    envPolicy,
    tty,
    pipeStdin,
    stderrToStdout,
    size,
    metadata: {
      commandLine: commandLineOf(request),
      origin,
      ...(title !== undefined && { title }),
      ...(stderrToStdout === true && { stderrToStdout }),
    },
  };
}

/** The command line that people see: as it was given, or the quoted argument list. */
export function commandLineOf({ argv, commandLine }: Pick<LaunchRequest, 'argv' | 'commandLine'>): string {
  return commandLine ?? quoteCommandLine(argv);
}

/** The shell of the user that the processes run as, or the one that every machine of this kind has. */
export function shellThere(host: HostInfo): ShellChoice {
  return { shell: host.shell?.path ?? (isWindowsThere(host) ? 'cmd.exe' : '/bin/sh'), arguments: [] };
}
