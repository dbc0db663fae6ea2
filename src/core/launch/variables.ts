import type { EnvPolicy, HostVariables, Variables } from '../envPolicy.js';

/** Changes of variables, by name: a value sets the variable, null removes it. */
export type VariableChanges = Readonly<Record<string, string | null>>;

/**
 * Checks whether a change can be made. A name is taken literally, but the policy that removes variables takes patterns,
 * so the name of a variable to remove cannot have `*` or `?` in it.
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
 * Variables that VS Code sets for itself and for its extension host, and that would change how other programs behave:
 * Electron as Node, sockets of this window, a Snap package's libraries. VS Code's own terminals leave out the same
 * variables. A program that serves agents without VS Code may well run in one of these terminals.
 */
const VSCODE_OWN = ['VSCODE_*', 'ELECTRON_*', 'SNAP', 'SNAP_*', 'GDK_PIXBUF_*', 'EXEC_SESSIONS_*'];

/** The variables of a command, as a backend takes them. */
export interface SessionVariables {
  readonly env: Variables;
  readonly envPolicy: EnvPolicy;
}

/**
 * Makes the variables of a command out of those of its host. Keys and tokens stay in, for agents too: the machine is
 * the user's own, and so are the commands. A user who wants to keep something from agents starts the host without it.
 */
export function sessionVariables(options: {
  /** The variables of the host if it is this machine. None of them goes to another machine. */
  readonly hostEnv: HostVariables | undefined;
  /** A folder that is added to the PATH in `hostEnv`. */
  readonly programs?: string | undefined;
  readonly windows: boolean;
  readonly tty: boolean;
  readonly forAgent: boolean;
  /** The version of the VS Code that draws the terminals of people. */
  readonly vscodeVersion?: string | undefined;
  /** The changes for every command that the user's settings ask for. */
  readonly settingsEnv?: VariableChanges | undefined;
  /** The changes for this command, which win over all others. */
  readonly env?: VariableChanges | undefined;
}): SessionVariables {
  const { tty, windows, forAgent } = options;
  const host = options.hostEnv ?? {};
  const changes = merged(
    [
      nodeOptions(host),
      options.programs === undefined ? {} : pathWith(options.programs, host, windows),
      tty ? terminalVariables(options.vscodeVersion) : {},
      tty && !windows && options.hostEnv !== undefined ? language(host) : {},
      options.settingsEnv ?? {},
      // Agents' variables win over the settings: a pager that a person sets there is for a person.
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

/** The last change of each variable. Names that differ in case alone are one variable on Windows. */
function merged(
  changes: readonly (readonly [name: string, value: string | null])[],
  windows: boolean,
): ReadonlyMap<string, string | null> {
  const last = new Map(
    changes.map((change) => [windows ? change[0].toUpperCase() : change[0], change] as const),
  );
  return new Map(last.values());
}

/** The variables that the policy, which ignores case, would remove together with `name`. */
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

/**
 * Restores the user's NODE_OPTIONS, which VS Code has moved out of its own way, and removes options that its debugger
 * has put there.
 */
function nodeOptions(host: HostVariables): VariableChanges {
  const users = host['VSCODE_NODE_OPTIONS'];
  if (users !== undefined) {
    return { NODE_OPTIONS: users };
  }
  return /js-debug|bootloader/.test(host['NODE_OPTIONS'] ?? '') ? { NODE_OPTIONS: null } : {};
}

/** Programs of the user with the same name come first. */
function pathWith(folder: string, host: HostVariables, windows: boolean): VariableChanges {
  const separator = windows ? ';' : ':';
  const name = Object.keys(host).find((one) => one === 'PATH' || (windows && sameLetters(one, 'PATH')));
  const before = name === undefined ? undefined : host[name];
  // Without a PATH, the system has one of its own for the program.
  if (name === undefined || before === undefined || before.split(separator).includes(folder)) {
    return {};
  }
  return { [name]: before === '' ? folder : `${before}${separator}${folder}` };
}

/** Sets a language if there is none, because programs would take the terminal for one that knows ASCII only. */
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

/** The changes for programs whose output an agent reads. */
function agentVariables(tty: boolean): VariableChanges {
  return {
    // Set on terminals too: a model does not know that a pager waits for a key.
    PAGER: 'cat',
    GIT_PAGER: 'cat',
    GH_PAGER: 'cat',
    MANPAGER: 'cat',
    SYSTEMD_PAGER: 'cat',
    // A model reads the output, whatever terminal the host was started in and whoever else looks on.
    TERM_PROGRAM: null,
    TERM_PROGRAM_VERSION: null,
    // On pipes, colours are only more characters to read. COLORTERM and FORCE_COLOR would win over NO_COLOR.
    ...(tty ? {} : { NO_COLOR: '1', TERM: 'dumb', COLORTERM: null, FORCE_COLOR: null }),
  };
}
