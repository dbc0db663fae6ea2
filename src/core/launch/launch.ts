import type { HostVariables, Variables } from '../envPolicy.js';
import type { HostInfo, StartedWith, StartParams } from '../process/execBackend.js';
import type { Sandbox } from '../process/sandbox.js';
import type { TerminalSize } from '../process/terminalSize.js';
import type { FolderEnvironment, FolderNote } from './folderEnvironment.js';
import { type Command, quoteCommandLine, shellCommand, type ShellChoice } from './command.js';
import { isWindowsThere } from './directory.js';
import { plannedSandbox, type SandboxWish } from './plannedSandbox.js';
import { sessionVariables, type VariableChanges } from './variables.js';

/**
 * The starter of a process. `name` is the name of the agent or the extension. A `user` has a name if an extension
 * started something for them that they did not ask for. An `other` starter is a program that we know nothing about.
 */
export interface LaunchOrigin {
  readonly kind: 'user' | 'extension' | 'agent' | 'other';
  readonly name?: string;
  /** The agent's conversation, and its call of a tool there. */
  readonly conversation?: string;
  readonly call?: string;
}

/** A request for a command, as its starter makes it. */
export interface Launch {
  readonly command: Command;
  /** The text that people see in place of the argument list. */
  readonly shownAs?: string | undefined;
  /** An absolute path of the machine that it runs on. */
  readonly cwd: string;
  readonly tty: boolean;
  readonly pipeStdin: boolean;
  /**
   * Whether standard error has a pipe of its own. By default only people get one: they see the two outputs in different
   * colours. For a model the order of the lines is more useful.
   */
  readonly separateStderr?: boolean | undefined;
  /** Variables that override all others; null removes one. */
  readonly env: VariableChanges;
  /**
   * Whether the shell of a command line reads the user's profile. That costs time, and the profile may print something.
   */
  readonly login?: boolean | undefined;
  /** The size of the terminal. By default people get the size of the place, and agents get 80 by 24. */
  readonly size?: TerminalSize | undefined;
  readonly title?: string | undefined;
  /** The sandbox to run in. One that is given whole is that of an earlier run. */
  readonly sandbox?: SandboxWish | Sandbox | undefined;
  /** The same for all starts of one command in several environments. */
  readonly batch?: string | undefined;
  readonly origin: LaunchOrigin;
}

/** A machine that runs commands, with facts that it does not report itself. */
export interface LaunchPlace {
  readonly host: HostInfo;
  /** The shell for command lines; {@link shellThere} by default. */
  readonly shell?: ShellChoice | undefined;
  /** The variables of the program that starts the command, if it is on the same machine. */
  readonly hostEnv?: HostVariables | undefined;
  /** A folder with programs for every command. It follows the folders of the PATH in `hostEnv`. */
  readonly programs?: string | undefined;
  /** The environment of the folder, for commands that get one. Its PATH ends with `programs`. */
  readonly folder?: FolderEnvironment | undefined;
  /** The changes that the user's settings make to the variables of every command. */
  readonly settingsEnv?: VariableChanges | undefined;
  /** The size that a terminal of a person will probably have. */
  readonly size?: TerminalSize | undefined;
  /** The version of the VS Code that draws people's terminals; absent without VS Code. */
  readonly vscodeVersion?: string | undefined;
}

/** Everything that is needed to start a process, and to start it again. */
export interface LaunchRequest
  extends Omit<StartedWith, 'arg0' | 'owned'>, Pick<Launch, 'title' | 'batch' | 'origin'> {
  /** The command line that people see; by default the quoted argument list. */
  readonly commandLine?: string | undefined;
  /** See {@link LaunchPlace.folder}. */
  readonly folder?: FolderNote | undefined;
}

/**
 * Makes the request that starts a command in a place. This folder decides everything that differs between commands of
 * people and of agents. Agents therefore find the same through VS Code's chat, over HTTP, or without VS Code.
 *
 * @throws ExecError if a folder of the sandbox cannot be found.
 */
export function launchRequest(launch: Launch, place: LaunchPlace): LaunchRequest {
  const { command, cwd, tty, pipeStdin, title, sandbox, batch, origin } = launch;
  const { host, shell = shellThere(host) } = place;
  const forAgent = origin.kind === 'agent';
  const { separateStderr = !forAgent, login = false } = launch;
  // A model gets the same lines from the same command; the width of a person's last terminal does not matter.
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
      folder: place.folder?.changes,
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
    ...(batch !== undefined && { batch }),
    ...(place.folder && { folder: noteOf(place.folder, { ...place.settingsEnv, ...launch.env }) }),
    ...(sandbox && {
      sandbox: plannedSandbox(sandbox, {
        cwd,
        host,
        temporary: launch.env['TMPDIR'] ?? place.settingsEnv?.['TMPDIR'] ?? place.hostEnv?.['TMPDIR'],
      }),
    }),
    origin,
  };
}

/**
 * The request of an earlier start with the environment that the folder has now.
 *
 * @param before The names of the variables that the folder had set then.
 */
export function withFolder(
  request: LaunchRequest,
  before: readonly string[],
  folder: FolderEnvironment | undefined,
): LaunchRequest {
  const taken = new Set(before);
  const own = Object.fromEntries(Object.entries(request.env).filter(([name]) => !taken.has(name)));
  const fresh = Object.entries(folder?.changes ?? {}).filter((entry) => typeof entry[1] === 'string');
  return {
    ...request,
    env: { ...(Object.fromEntries(fresh) as Variables), ...own },
    folder: folder && noteOf(folder, own),
  };
}

/** @param own The variables that win over those of the folder. */
function noteOf(folder: FolderEnvironment, own: VariableChanges): FolderNote {
  const { changes, with: has, without } = folder;
  return { with: has, without, names: Object.keys(changes).filter((name) => !(name in own)) };
}

/**
 * Makes the parameters for a backend from a request. The metadata is for other programs that read the backend's list.
 */
export function startParams(processId: string, request: LaunchRequest): StartParams {
  const {
    title,
    batch,
    origin,
    argv,
    cwd,
    env,
    envPolicy,
    tty,
    pipeStdin,
    stderrToStdout,
    size,
    sandbox,
    folder,
  } = request;
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
    ...(sandbox && { sandbox }),
    metadata: {
      commandLine: commandLineOf(request),
      origin,
      ...(title !== undefined && { title }),
      ...(batch !== undefined && { batch }),
      ...(stderrToStdout === true && { stderrToStdout }),
      ...(folder && { folderEnvironment: folder }),
    },
  };
}

/** The command line that people see: the given one, or the quoted argument list. */
export function commandLineOf({ argv, commandLine }: Pick<LaunchRequest, 'argv' | 'commandLine'>): string {
  return commandLine ?? quoteCommandLine(argv);
}

/** The shell of the user that the processes run as, or the default shell of that system. */
export function shellThere(host: HostInfo): ShellChoice {
  return { shell: host.shell?.path ?? (isWindowsThere(host) ? 'cmd.exe' : '/bin/sh'), arguments: [] };
}
