/** A program to run, with an environment of PATH alone. */
export interface ProcessSpec {
  readonly argv: readonly [string, ...string[]];
  readonly tty: boolean;
}

/** One process, however it is run. */
export interface RunningProcess {
  /** Resolves when its start is known to have worked. */
  readonly started: Promise<void>;
  /** Resolves when it has ended and everything has come. Rejects if something is missing, or came twice. */
  readonly closed: Promise<Closed>;
  write(bytes: Uint8Array): void;
  kill(): void;
}

export interface Closed {
  /** Events that came before one with a lower number. */
  readonly outOfOrder: number;
}

/** A way to run processes: the same tasks are measured on each. */
export interface Driver {
  /** It gives up what is still unread some time after the exit of a terminal's program. */
  readonly losesTail: boolean;
  /** @param onOutput Called with each piece as it comes, without a turn of the event loop in between. */
  start(spec: ProcessSpec, onOutput: (bytes: Uint8Array) => void): RunningProcess;
  close(): Promise<void>;
}

/** Which driver a worker has. */
export type DriverSpec =
  | { readonly kind: 'raw' }
  /** `guard` is the built program that the extension has beside it. */
  | { readonly kind: 'local'; readonly guard: string }
  | { readonly kind: 'wire' | 'remote'; readonly address: Address };

export type Address =
  { readonly kind: 'websocket'; readonly url: string } | { readonly kind: 'unix'; readonly path: string };

export const childEnvironment = { PATH: process.env['PATH'] ?? '/bin:/usr/bin' } as const;

/** For a promise that somebody may look at later, or not at all. */
export function quietly<T>(promise: Promise<T>): Promise<T> {
  promise.catch(() => undefined);
  return promise;
}
