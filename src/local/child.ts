import type { ExitStatus, InputMode, OutputStream, TerminalSize } from '../core/index.js';

/** What a child reports. */
export interface ChildSink {
  /** Once and first: there is a process now, whatever becomes of it. Called before anything is waited for. */
  forked(pid: number): void;
  /** @param lent Whether `bytes` may be overwritten as soon as this has returned. */
  output(stream: OutputStream, bytes: Uint8Array, lent?: boolean): void;
  /** Once. What could be read without waiting has been reported before, unless the child was paused. */
  exited(status: ExitStatus): void;
  /** Once: everything has been read. Before or after the exit. */
  ended(): void;
}

/** One operating-system process with its pipes or its terminal. */
export interface Child {
  readonly pid: number;
  /** What its outputs are connected to; see `outputLinks`. */
  readonly outputLinks: ReadonlySet<string>;
  /**
   * Queues bytes for the child. Resolves once they are queued and the queue is within its bound.
   *
   * @throws Error if the child takes no more input.
   */
  write(bytes: Uint8Array): Promise<void>;
  /** Ends the input: closes the pipe, or types the end-of-file character into the terminal. */
  closeStdin(): void;
  /** Only for a terminal. */
  resize?(size: TerminalSize): void;
  /** Only for a terminal that can be asked; undefined once the child has exited. */
  inputMode?(): Promise<InputMode | undefined>;
  /** While paused nothing is read, so that the child blocks once the kernel's buffer is full. */
  setPaused(paused: boolean): void;
  /** Stops reading for good and gives back the descriptors; `ended` follows if it has not come. */
  abandon(): void;
}

/** What it takes to start one. The program and the directory have been checked. */
export interface ChildRequest {
  readonly argv: readonly [string, ...string[]];
  readonly arg0?: string | undefined;
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;
}

/** Bytes of input that may be queued in this process before a write waits. */
export const INPUT_QUEUE_BYTES = 1024 * 1024;
