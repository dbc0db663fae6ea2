import type {
  ExitStatus,
  InputMode,
  InputWait,
  OutputStream,
  ProcessLog,
  TerminalSize,
} from '../../core/index.js';
import type { ForkSign } from '../guard/messages.js';

/** The events of a child. */
export interface ChildSink {
  /**
   * Called synchronously before the fork, with a sign that identifies the new process until its number is known.
   * Undefined if there is no such sign, or if there was no fork after all.
   */
  forking(sign: ForkSign | undefined): void;
  /** Called once, before all others and synchronously after the fork: the process exists, even if it fails later. */
  forked(pid: number): void;
  /** @param lent Whether `bytes` may be overwritten as soon as this has returned. */
  output(stream: OutputStream, bytes: Uint8Array, lent?: boolean): void;
  /** Called once. Everything that could be read without waiting was reported before, unless the child was paused. */
  exited(status: ExitStatus): void;
  /** Called once, before or after the exit: all output has been read. */
  ended(): void;
}

/** Forks after announcing it to the sink; the sink also hears if the fork fails. */
export function announced<T>(sink: ChildSink, sign: ForkSign | undefined, fork: () => T): T {
  sink.forking(sign);
  try {
    return fork();
  } catch (error) {
    sink.forking(undefined);
    throw error;
  }
}

/** One operating-system process with its pipes or its terminal. */
export interface Child {
  readonly pid: number;
  /** Identifies the open files of its outputs; see `outputLinks`. */
  readonly outputLinks: ReadonlySet<string>;
  /**
   * Queues bytes for the child. Resolves once they are queued and the queue is within its bound.
   *
   * @throws Error if the child no longer takes input.
   */
  write(bytes: Uint8Array): Promise<void>;
  /** Ends the input: closes the pipe, or types the end-of-file character into the terminal. */
  closeStdin(): void;
  /** Only for a terminal. */
  resize?(size: TerminalSize): void;
  /** Only for a terminal that can be asked; undefined once the child has exited. */
  inputMode?(): Promise<InputMode | undefined>;
  /** @param log Its output, whose last line may be a question. */
  inputWait?(log: ProcessLog): Promise<InputWait | undefined>;
  /** While paused nothing is read, so the child blocks once the kernel's buffer is full. */
  setPaused(paused: boolean): void;
  /**
   * Tells whether a reader waits for the output; at first one does. While no reader waits, the output of a busy program
   * may be read some milliseconds later, in larger pieces.
   */
  setAwaited?(awaited: boolean): void;
  /** Reads at once the output whose reading was put off because no reader waited for it. */
  fetch?(): void;
  /** Stops reading for good and closes the descriptors; calls `ended` if it was not called yet. */
  abandon(): void;
}

/** The request for a child. The program and the directory have been checked. */
export interface ChildRequest {
  readonly argv: readonly [string, ...string[]];
  readonly arg0?: string | undefined;
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;
  /** On Windows: `argv` is the program's file and all its arguments as one text, or the file alone. */
  readonly verbatim?: boolean;
}

/** Bytes of input that may be queued in this process before a write waits. */
export const INPUT_QUEUE_BYTES = 1024 * 1024;
