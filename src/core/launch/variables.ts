import type { Environment, EnvironmentPolicy } from '../index.js';

/** Names to values; null takes a variable away. */
export type EnvironmentChanges = Readonly<Record<string, string | null>>;

/**
 * Whether a change can be made. A name is taken as it is, but the policy that removes variables takes patterns: a
 * removed name cannot have `*` or `?` in it.
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
 * What VS Code sets for itself and for its extension host, and would change how other programs behave: Electron as
 * Node, sockets of this window, a Snap package's libraries. VS Code's own terminals leave out the same.
 */
const VSCODE_OWN = ['VSCODE_*', 'ELECTRON_*', 'SNAP', 'SNAP_*', 'GDK_PIXBUF_*', 'EXEC_SESSIONS_*'];

/** How a session's environment is made out of the extension host's. */
export interface SessionEnvironment {
  readonly env: Environment;
  readonly envPolicy: EnvironmentPolicy;
}

export function sessionEnvironment(options: {
  /** The variables of the extension host, if the session inherits those; undefined on another machine. */
  readonly host: Readonly<Record<string, string | undefined>> | undefined;
  readonly tty: boolean;
  readonly windows: boolean;
  /** The version of the program that draws the terminal. */
  readonly version: string;
  /** Later ones win. */
  readonly changes: readonly EnvironmentChanges[];
}): SessionEnvironment {
  const { tty, windows } = options;
  const host = options.host ?? {};
  const languageUnknown = options.host === undefined;
  const exclude = new Set(VSCODE_OWN);
  const changes = new Map(
    [
      nodeOptions(host),
      tty ? terminalVariables(options.version) : {},
      // Without any, programs take the terminal for one that knows ASCII only.
      tty && !windows && !languageUnknown && !namesLanguage(host) ? { LANG: 'C.UTF-8' } : {},
      ...options.changes,
    ].flatMap((change) => Object.entries(change)),
  );
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
    // It is the user's own machine and the user's own command: a shell there sees the keys and tokens as well.
    envPolicy: {
      inherit: 'all',
      ignoreDefaultExcludes: true,
      exclude: [...exclude],
      set: {},
      includeOnly: [],
    },
  };
}

/** Variables that the policy, which knows no case, would remove together with `name`. */
function otherSpellings(
  name: string,
  host: Readonly<Record<string, string | undefined>>,
): (readonly [name: string, value: string])[] {
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

/** VS Code moves the user's NODE_OPTIONS out of its own way, and its debugger puts in some that are not the user's. */
function nodeOptions(host: Readonly<Record<string, string | undefined>>): EnvironmentChanges {
  const users = host['VSCODE_NODE_OPTIONS'];
  if (users !== undefined) {
    return { NODE_OPTIONS: users };
  }
  return /js-debug|bootloader/.test(host['NODE_OPTIONS'] ?? '') ? { NODE_OPTIONS: null } : {};
}

function namesLanguage(host: Readonly<Record<string, string | undefined>>): boolean {
  return [host['LC_ALL'], host['LC_CTYPE'], host['LANG']].some((value) => (value ?? '') !== '');
}

function terminalVariables(version: string): EnvironmentChanges {
  return {
    TERM: 'xterm-256color',
    COLORTERM: 'truecolor',
    TERM_PROGRAM: 'vscode',
    TERM_PROGRAM_VERSION: version,
  };
}
