/** The requests of the runner to the extension host, over a Unix socket, one JSON object a line, one at a time. */
export type ToHost =
  /** Opens a terminal of this kind on a program, and shows it. */
  | { readonly kind: 'open'; readonly terminal: TerminalKind; readonly argv: readonly [string, ...string[]] }
  /** Closes everything that was opened. */
  | { readonly kind: 'close' }
  | { readonly kind: 'watch' }
  | { readonly kind: 'unwatch' };

/** VS Code's own terminal, or a session in the environment of this id. */
export type TerminalKind = { readonly own: true } | { readonly own: false; readonly environment: string };

/** The state of the extension host between `watch` and `unwatch`. */
export interface HostWatch {
  /** The longest time in which its event loop made no turn, in milliseconds. */
  readonly stallMs: number;
  /** The most by which its memory grew since the beginning. */
  readonly grownBytes: number;
}

export type FromHost =
  | { readonly kind: 'done'; readonly watch?: HostWatch }
  | { readonly kind: 'failed'; readonly message: string };

/** The variable, in the environment of the extension host, with the file of that socket. */
export const SOCKET_VARIABLE = 'EXEC_SESSIONS_BENCH_SOCKET';
