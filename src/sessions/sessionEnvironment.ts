import type { Environment, EnvironmentPolicy } from '../core/index.js';

/** Names to values; null takes a variable away. */
export type EnvironmentChanges = Readonly<Record<string, string | null>>;

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
  readonly host: Readonly<Record<string, string | undefined>>;
  readonly tty: boolean;
  readonly windows: boolean;
  /** The version of the program that draws the terminal. */
  readonly version: string;
  /** Later ones win. */
  readonly changes: readonly EnvironmentChanges[];
}): SessionEnvironment {
  const { host, tty, windows } = options;
  const exclude = new Set(VSCODE_OWN);
  const changes: Record<string, string | null> = {
    ...nodeOptions(host),
    ...(tty ? terminalVariables(host, windows, options.version) : {}),
  };
  for (const [name, value] of options.changes.flatMap((change) => Object.entries(change))) {
    changes[name] = value;
  }
  const env: Record<string, string> = {};
  for (const [name, value] of Object.entries(changes)) {
    if (value === null) {
      exclude.add(name);
    } else {
      env[name] = value;
    }
  }
  return {
    env,
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

/** VS Code moves the user's NODE_OPTIONS out of its own way, and its debugger puts in some that are not the user's. */
function nodeOptions(host: Readonly<Record<string, string | undefined>>): EnvironmentChanges {
  const users = host['VSCODE_NODE_OPTIONS'];
  if (users !== undefined) {
    return { NODE_OPTIONS: users };
  }
  return /js-debug|bootloader/.test(host['NODE_OPTIONS'] ?? '') ? { NODE_OPTIONS: null } : {};
}

function terminalVariables(
  host: Readonly<Record<string, string | undefined>>,
  windows: boolean,
  version: string,
): EnvironmentChanges {
  const named = [host['LC_ALL'], host['LC_CTYPE'], host['LANG']].some((value) => (value ?? '') !== '');
  return {
    TERM: 'xterm-256color',
    COLORTERM: 'truecolor',
    TERM_PROGRAM: 'vscode',
    TERM_PROGRAM_VERSION: version,
    // Without any, programs take the terminal for one that knows ASCII only.
    ...(windows || named ? {} : { LANG: 'C.UTF-8' }),
  };
}
