import type { ExecFailure } from '../failures/index.js';
import type { SandboxRefusal } from './sandbox.js';
import type { TerminalSize } from './terminalSize.js';

/** The source of output. A terminal merges the program's two outputs into `pty`. */
export type OutputStream = 'stdout' | 'stderr' | 'pty';

/** The way in which a process ended. */
export interface ExitStatus {
  /** The code that the program returned, or 128 + the number of the signal that ended it. */
  readonly exitCode: number;
  /** The name of that signal, `SIGTERM` for example. */
  readonly signal?: string;
  /** Present if the process ran in a sandbox that seems to have refused something. */
  readonly refused?: SandboxRefusal;
}

/** One piece of output as it was read; it may begin or end in the middle of a character. */
export interface OutputChunk {
  readonly seq: number;
  readonly stream: OutputStream;
  /**
   * Neither side may change the bytes once they are delivered. Exception: for a subscriber with `borrows`, the buffer
   * may be reused.
   */
  readonly bytes: Uint8Array;
  /**
   * The size of the terminal from this output on, if it is known. Present where it has changed, and in the oldest
   * output that is retained.
   */
  readonly size?: TerminalSize;
}

export interface OutputEvent extends OutputChunk {
  readonly type: 'output';
}

/** The exit status is known; output may still follow while a descendant holds the pipe or the terminal. */
interface ExitedEvent {
  readonly type: 'exited';
  readonly seq: number;
  readonly status: ExitStatus;
}

/** Everything has been read. This number is the last one. */
interface ClosedEvent {
  readonly type: 'closed';
  readonly seq: number;
}

/** A range of output that is missing. */
export interface MissingOutput {
  /** The first and the last number that are missing. */
  readonly fromSeq: number;
  readonly throughSeq: number;
  readonly chunks: number;
  /** Absent if unknown: the output was lost before this reader, or this log, began. */
  readonly bytes?: number;
}

/**
 * Output that this reader cannot get: the log has evicted it, or it never reached the log. A gap has no number of its
 * own.
 */
export interface GapEvent extends MissingOutput {
  readonly type: 'gap';
  /** The sequences that give a fresh terminal the modes in force after the gap; absent if these are unknown. */
  readonly modes?: string;
}

/** The process can never be reached again. Final, and without a number, because it is not an event of the process. */
export interface FailedEvent {
  readonly type: 'failed';
  readonly failure: ExecFailure;
}

export type ExecEvent = OutputEvent | ExitedEvent | ClosedEvent | GapEvent | FailedEvent;

/** The output that a log has evicted since its process started. */
export interface Evicted {
  readonly bytes: number;
  readonly chunks: number;
  /** The highest evicted number; 0 while nothing was evicted. */
  readonly throughSeq: number;
  /** The modes in force after it, as in a {@link GapEvent}; only in the answer to a read. */
  readonly modes?: string;
}

export interface ReadOptions {
  /** Only output with a higher number; 0 by default. */
  readonly afterSeq?: number | undefined;
  /** Upper bound of the bytes in one answer; the first chunk always fits. No bound by default. */
  readonly maxBytes?: number | undefined;
  /** The time to wait for something to report, in milliseconds; 0 by default. */
  readonly waitMs?: number | undefined;
}

/** The answer to a read. The state is the current one, for any part of the output. */
export interface ReadResponse {
  readonly chunks: readonly OutputChunk[];
  /** The number to continue with: the next read asks for the output after `nextSeq - 1`. */
  readonly nextSeq: number;
  readonly exited: boolean;
  readonly exit?: ExitStatus;
  /** The number of the exit, once there is one. */
  readonly exitSeq?: number;
  /** May be true while chunks are left if `maxBytes` cut the answer: read on until an answer has no chunks. */
  readonly closed: boolean;
  /** The reason why the process can never be reached again. */
  readonly failure?: ExecFailure;
  /** Present if some of the requested output is gone: everything evicted so far. */
  readonly evicted?: Evicted;
  /** Present if some of the requested output never reached the log, oldest first. */
  readonly missing?: readonly MissingOutput[];
}

/** The part of the output to read from where it is kept outside memory. */
export interface KeptOptions {
  /** Only output with a higher number. */
  readonly afterSeq: number;
  /** Upper bound of the bytes in one answer; the first chunk always fits. A backend may have a lower one. */
  readonly maxBytes: number;
}

/**
 * A part of the output as it is kept outside memory, where older output may still exist. It begins after the requested
 * number and is complete except for `missing`.
 */
export interface KeptOutput {
  /** Empty if no later output is kept. */
  readonly chunks: readonly OutputChunk[];
  /** The output that is missing before, between and after the chunks, oldest first. */
  readonly missing: readonly MissingOutput[];
}

/** The answer of a backend that keeps output in memory alone. */
export const NOTHING_KEPT: KeptOutput = { chunks: [], missing: [] };
