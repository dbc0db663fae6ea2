import type {
  Environment,
  EnvironmentPolicy,
  Event,
  ExecBackend,
  ExecProcess,
  HostInfo,
} from '../core/index.js';

import { quoteCommandLine } from './commandText.js';
import type { AgentEnvironment, AgentHost, AgentStart, HostedProcess } from './host.js';

/** A backend as a place where agents run commands. */
export interface BackendEnvironment extends AgentEnvironment {
  readonly backend: ExecBackend;
  /** Where commands run that name no directory; the backend's own by default. An absolute path of that machine. */
  readonly cwd?: string | undefined;
  /** What runs command lines, a path or a name; the backend's own by default. */
  readonly shell?: string | undefined;
  /** Laid over everything else; null takes a variable away. */
  readonly env?: Readonly<Record<string, string | null>> | undefined;
}

/**
 * Agents over backends alone, where nobody looks on: the controller is always the agent, and nobody can be called.
 *
 * @throws Error if there is no environment, or if two have the same id.
 */
export function backendHost(options: { readonly environments: readonly BackendEnvironment[] }): AgentHost {
  const { environments } = options;
  const [first] = environments;
  if (first === undefined) {
    throw new Error('Agents need an environment to run commands in.');
  }
  if (new Set(environments.map(({ id }) => id)).size < environments.length) {
    throw new Error('Each environment needs an id of its own.');
  }
  return {
    environments: environments.map(({ id, label }) => ({ id, label })),
    start: async (start) => {
      const wanted = start.environment ?? first.id;
      const environment = environments.find(({ id }) => id === wanted);
      if (environment === undefined) {
        const ids = environments.map(({ id }) => id).join(', ');
        throw new Error(`There is no environment "${wanted}". There are: ${ids}.`);
      }
      return startIn(environment, start);
    },
  };
}

async function startIn(environment: BackendEnvironment, start: AgentStart): Promise<HostedProcess> {
  const { id, label, backend } = environment;
  const { command, tty, pipeStdin, title, agent } = start;
  const windows = isWindows(backend.host);
  const argv =
    command.kind === 'argv'
      ? command.argv
      : [...shellArguments(environment.shell ?? shellOf(backend.host)), command.commandLine];
  const commandLine = command.kind === 'argv' ? quoteCommandLine(command.argv) : command.commandLine;
  const cwd = resolveDirectory(environment.cwd ?? directoryOf(backend.host), start.cwd, windows);
  const process = await backend.start({
    // Not a counter: a server may have processes of earlier runs, and of others.
    processId: crypto.randomUUID(),
    argv,
    cwd,
    ...environmentVariables(tty, environment.env ?? {}),
    tty,
    pipeStdin: pipeStdin && !tty,
    // What other programs that look at this backend show.
    metadata: {
      commandLine,
      origin: { kind: 'agent', name: agent },
      ...(title !== undefined && { title }),
    },
  });
  return {
    process,
    backend,
    environment: { id, label },
    commandLine,
    cwd,
    title,
    controller: 'agent',
    onDidChangeController: never,
    onDidRemove: never,
    onPersonStops: never,
    stop: (stopOptions) => process.stop(stopOptions),
    closeInput: () => closeInput(process, backend, tty),
    release: () => process.release(),
  };
}

const never: Event<never> = () => ({ dispose: () => undefined });

/** The key that ends the input of a terminal, Ctrl-D. */
const END_OF_INPUT = Uint8Array.of(4);

async function closeInput(process: ExecProcess, backend: ExecBackend, tty: boolean): Promise<void> {
  if (tty && !backend.capabilities.closeStdin) {
    await process.write(END_OF_INPUT);
  } else {
    await process.closeStdin();
  }
}

/**
 * The shell with what comes before a command line. It is no login shell: the environment is inherited from a program
 * that was started in one already, and what profiles print or ask would be in the output of every command.
 */
function shellArguments(shell: string): readonly string[] {
  const file = shell.split(/[/\\]/).at(-1) ?? shell;
  switch (file.toLowerCase().replace(/\.exe$/, '')) {
    case 'cmd':
      return [shell, '/d', '/s', '/c'];
    case 'powershell':
    case 'pwsh':
      return [shell, '-NoLogo', '-NoProfile', '-NonInteractive', '-Command'];
    default:
      return [shell, '-c'];
  }
}

function isWindows(host: HostInfo): boolean {
  return host.platform === 'win32';
}

function shellOf(host: HostInfo): string {
  return host.shell?.path ?? (isWindows(host) ? 'cmd.exe' : '/bin/sh');
}

function directoryOf(host: HostInfo): string {
  return host.cwd ?? host.homeDir ?? (isWindows(host) ? 'C:\\' : '/');
}

function resolveDirectory(base: string, wanted: string | undefined, windows: boolean): string {
  if (wanted === undefined) {
    return base;
  }
  const absolute = windows ? /^([A-Za-z]:[\\/]|[\\/])/.test(wanted) : wanted.startsWith('/');
  const separator = windows ? '\\' : '/';
  return absolute ? wanted : `${base.replace(/[\\/]$/, '')}${separator}${wanted}`;
}

/**
 * What VS Code sets for itself and for its extension host, and would change how other programs behave. A program that
 * agents start may well run in a terminal of it.
 */
const VSCODE_OWN = ['VSCODE_*', 'ELECTRON_*', 'SNAP', 'SNAP_*', 'GDK_PIXBUF_*', 'EXEC_SESSIONS_*'];

/** A pager waits for a key that a model does not know of. */
const NO_PAGERS = { PAGER: 'cat', GIT_PAGER: 'cat', GH_PAGER: 'cat', SYSTEMD_PAGER: 'cat' };
/** Without a terminal, colours are only characters to read. */
const ON_PIPES = { NO_COLOR: '1', TERM: 'dumb' };
const ON_A_TERMINAL = { TERM: 'xterm-256color', COLORTERM: 'truecolor' };

/**
 * The whole environment of the host, keys and tokens as well: it is the user's own machine, and the commands are those
 * that the user would give. Who wants to keep something from agents gives the host less.
 */
function environmentVariables(
  tty: boolean,
  changes: Readonly<Record<string, string | null>>,
): { readonly env: Environment; readonly envPolicy: EnvironmentPolicy } {
  const all = Object.entries<string | null>({
    ...NO_PAGERS,
    ...(tty ? ON_A_TERMINAL : ON_PIPES),
    ...changes,
  });
  const removed = all.filter(([, value]) => value === null).map(([name]) => name);
  const kept = all.filter((entry): entry is [string, string] => entry[1] !== null);
  return {
    env: Object.fromEntries(kept),
    envPolicy: {
      inherit: 'all',
      ignoreDefaultExcludes: true,
      exclude: [...VSCODE_OWN, ...(tty ? [] : ['COLORTERM', 'FORCE_COLOR']), ...removed],
      set: {},
      includeOnly: [],
    },
  };
}
