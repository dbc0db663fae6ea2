import type { EnvPolicy, HostVariables, Variables } from '../envPolicy.js';

/** Changes of variables, by name: a value sets the variable, null removes it. */
export type VariableChanges = Readonly<Record<string, string | null>>;

/** A value for a variable as people write it in JSON: a number and a truth value stand for their text. */
export function variableValue(value: unknown): unknown {
  return typeof value === 'number' || typeof value === 'boolean' ? String(value) : value;
}

/**
 * Checks whether a change can be made. The name of a variable to remove cannot contain `*` or `?`: the policy that
 * removes variables takes patterns.
 */
export function checkVariable(
  name: string,
  value: unknown,
): 'ok' | 'noName' | 'badName' | 'badValue' | 'pattern' {
  if (name === '') {
    return 'noName';
  }
  if (name.includes('=') || name.includes('\0')) {
    return 'badName';
  }
  if (value === null) {
    return /[*?]/.test(name) ? 'pattern' : 'ok';
  }
  return typeof value === 'string' ? 'ok' : 'badValue';
}

/**
 * Variables that VS Code sets for itself and for its extension host. They would change how other programs behave:
 * Electron as Node, sockets of this window, a Snap package's libraries. VS Code's own terminals leave out the same
 * variables. A program that serves agents without VS Code may well run in one of these terminals.
 */
const VSCODE_OWN = ['VSCODE_*', 'ELECTRON_*', 'SNAP', 'SNAP_*', 'GDK_PIXBUF_*', 'EXEC_SESSIONS_*'];

/** The variables of a command, as a backend takes them. */
interface SessionVariables {
  readonly env: Variables;
  readonly envPolicy: EnvPolicy;
}

/**
 * Makes the variables of a command out of those of its host. Agents get keys and tokens too: the machine and the
 * commands are the user's own. A user who wants to keep something from agents starts the host without it.
 */
export function sessionVariables(options: {
  /** The variables of the host if it is this machine. They never go to another machine. */
  readonly hostEnv: HostVariables | undefined;
  /** A folder that is added to the PATH in `hostEnv`. */
  readonly programs?: string | undefined;
  /** The environment of the folder. Its PATH has the one of the host. */
  readonly folder?: VariableChanges | undefined;
  readonly windows: boolean;
  readonly tty: boolean;
  readonly forAgent: boolean;
  /** The version of the VS Code that draws people's terminals. */
  readonly vscodeVersion?: string | undefined;
  /** The changes that the user's settings make for every command. */
  readonly settingsEnv?: VariableChanges | undefined;
  /** The changes for this command. They override all others. */
  readonly env?: VariableChanges | undefined;
}): SessionVariables {
  const { tty, windows, forAgent } = options;
  const host = options.hostEnv ?? {};
  const changes = merged(
    [
      nodeOptions(host),
      options.programs === undefined ? {} : pathWith(options.programs, host, windows),
      options.folder ?? {},
      tty ? terminalVariables(options.vscodeVersion) : {},
      tty && !windows && options.hostEnv !== undefined ? language(host) : {},
      options.settingsEnv ?? {},
      // The variables for agents override the settings: a pager in the settings is for a person.
      forAgent ? agentVariables(tty) : {},
      options.env ?? {},
    ].flatMap((change) => Object.entries<string | null>(change)),
    windows,
  );
  const exclude = new Set(VSCODE_OWN);
  const env = new Map<string, string>();
  for (const [name, value] of changes) {
    if (value === null) {
      exclude.add(name);
      for (const kept of windows ? [] : otherSpellings(name, host)) {
        env.set(...kept);
      }
    }
  }
  for (const [name, value] of changes) {
    if (value === null) {
      env.delete(name);
    } else {
      env.set(name, value);
    }
  }
  return {
    env: Object.fromEntries(env),
    envPolicy: {
      inherit: 'all',
      ignoreDefaultExcludes: true,
      exclude: [...exclude],
      set: {},
      includeOnly: [],
    },
  };
}

/** The last change of each variable. On Windows, names that differ only in case are one variable. */
function merged(
  changes: readonly (readonly [name: string, value: string | null])[],
  windows: boolean,
): ReadonlyMap<string, string | null> {
  const last = new Map(
    changes.map((change) => [windows ? change[0].toUpperCase() : change[0], change] as const),
  );
  return new Map(last.values());
}

/** The other variables that the policy would remove together with `name`, because it ignores case. */
function otherSpellings(name: string, host: HostVariables): (readonly [name: string, value: string])[] {
  return Object.entries(host).flatMap(([other, value]) =>
    other !== name && sameLetters(other, name) && value !== undefined && !isVscodeOwn(other)
      ? [[other, value] as const]
      : [],
  );
}

function isVscodeOwn(name: string): boolean {
  return VSCODE_OWN.some((pattern) =>
    pattern.endsWith('*')
      ? sameLetters(name.slice(0, pattern.length - 1), pattern.slice(0, -1))
      : sameLetters(name, pattern),
  );
}

function sameLetters(one: string, other: string): boolean {
  return one.toUpperCase() === other.toUpperCase();
}

/** Names the script by which VS Code's terminals start `exec-sessions`. It stays where it is when all else moves. */
export const WRAPPER_VARIABLE = 'EXEC_SESSIONS_WRAPPER';

/**
 * Restores the user's NODE_OPTIONS, which VS Code has moved out of its own way, and removes the options of its
 * debugger.
 */
function nodeOptions(host: HostVariables): VariableChanges {
  const users = host['VSCODE_NODE_OPTIONS'];
  if (users !== undefined) {
    return { NODE_OPTIONS: users };
  }
  return /js-debug|bootloader/.test(host['NODE_OPTIONS'] ?? '') ? { NODE_OPTIONS: null } : {};
}

/** Adds the folder at the end of the PATH: programs of the user with the same name come first. */
function pathWith(folder: string, host: HostVariables, windows: boolean): VariableChanges {
  const separator = windows ? ';' : ':';
  const name = Object.keys(host).find((one) => one === 'PATH' || (windows && sameLetters(one, 'PATH')));
  const before = name === undefined ? undefined : host[name];
  // Without a PATH, the system uses a default of its own.
  if (name === undefined || before === undefined || before.split(separator).includes(folder)) {
    return {};
  }
  return { [name]: before === '' ? folder : `${before}${separator}${folder}` };
}

/** Sets a language if there is no language: otherwise programs would assume a terminal that knows ASCII only. */
function language(host: HostVariables): VariableChanges {
  const named = [host['LC_ALL'], host['LC_CTYPE'], host['LANG']].some((value) => (value ?? '') !== '');
  return named ? {} : { LANG: 'C.UTF-8' };
}

function terminalVariables(vscodeVersion: string | undefined): VariableChanges {
  return {
    TERM: 'xterm-256color',
    COLORTERM: 'truecolor',
    ...(vscodeVersion !== undefined && { TERM_PROGRAM: 'vscode', TERM_PROGRAM_VERSION: vscodeVersion }),
  };
}

/** On pipes nobody can answer: git fails instead of asking, takes a message as it is, and apt its defaults. */
const UNASKED = { GIT_TERMINAL_PROMPT: '0', GIT_EDITOR: 'true', DEBIAN_FRONTEND: 'noninteractive' };

/** The changes for programs whose output an agent reads. */
function agentVariables(tty: boolean): VariableChanges {
  return {
    // Set on terminals too: a model does not know that a pager waits for a key.
    PAGER: 'cat',
    GIT_PAGER: 'cat',
    GH_PAGER: 'cat',
    MANPAGER: 'cat',
    SYSTEMD_PAGER: 'cat',
    // A model reads the output. The terminal that the host was started in does not matter, nor who else watches.
    TERM_PROGRAM: null,
    TERM_PROGRAM_VERSION: null,
    // On pipes, colours only add characters to read. COLORTERM and FORCE_COLOR would override NO_COLOR.
    ...(tty ? {} : { NO_COLOR: '1', TERM: 'dumb', COLORTERM: null, FORCE_COLOR: null, ...UNASKED }),
  };
}
