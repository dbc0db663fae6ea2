/** A program to run, with an environment of PATH alone. */
export interface ProcessSpec {
  readonly argv: readonly [string, ...string[]];
  readonly tty: boolean;
}

/** One process, however it is run. */
export interface RunningProcess {
  /** Resolves when its start is known to have worked. */
  readonly started: Promise<void>;
  /** Resolves when it has ended and all output has arrived. Rejects if something is missing, or arrived twice. */
  readonly closed: Promise<Closed>;
  write(bytes: Uint8Array): void;
  kill(): void;
}

export interface Closed {
  /** The number of events that arrived before one with a lower number. */
  readonly outOfOrder: number;
}

/** A way to run processes: the same tasks are measured on each. */
export interface Driver {
  /** Whether it drops unread output some time after the exit of a terminal's program. */
  readonly losesTail: boolean;
  /** @param onOutput Called with each piece on its arrival, without a turn of the event loop in between. */
  start(spec: ProcessSpec, onOutput: (bytes: Uint8Array) => void): RunningProcess;
  close(): Promise<void>;
}

/** The driver of a worker. */
export type DriverSpec =
  /** `through` runs the programs: its arguments end with theirs. */
  | { readonly kind: 'raw'; readonly through?: readonly [string, ...string[]] }
  /** `guard` is the built program that the extension has beside it. */
  | { readonly kind: 'local'; readonly guard: string }
  | WireSpec
  /** `keepsOutput`: whether the server is to own the processes, and to keep their output on disk or not. */
  | { readonly kind: 'remote'; readonly address: Address; readonly keepsOutput?: boolean };

export interface WireSpec {
  readonly kind: 'wire';
  readonly address: Address;
  /** As in {@link Driver}, for the server. */
  readonly losesTail: boolean;
  /** Whether programs may only read. */
  readonly sandboxed: boolean;
}

export type Address =
  { readonly kind: 'websocket'; readonly url: string } | { readonly kind: 'unix'; readonly path: string };

export const childEnv = { PATH: process.env['PATH'] ?? '/bin:/usr/bin' } as const;

/** Marks a promise as handled, because it is awaited later or not at all. */
export function quietly<T>(promise: Promise<T>): Promise<T> {
  promise.catch(() => undefined);
  return promise;
}
