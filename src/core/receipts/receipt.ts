import type { StopStep } from '../process/execBackend.js';
import type { ExitStatus } from '../process/execEvents.js';
import type { ReceiptCause, SessionOrigin } from '../metadata.js';

/** The process of a session. */
export interface ReceiptLeader {
  readonly pid: number;
  /** In the machine's unit, if known. Together with the pid it identifies the process for ever. */
  readonly startTime?: string;
}

/** A leftover process: it outlived its session. */
export interface ReceiptLeftover {
  readonly pid: number;
  /** In the machine's unit. Together with the pid it identifies the process for ever. */
  readonly startTime: string;
  readonly command: string;
}

/** The end of a session. Times are milliseconds since 1970. */
export type ReceiptEnd =
  | { readonly kind: 'exit'; readonly at: number; readonly status: ExitStatus }
  /** Its server or window ended abruptly at about this time, which is its last sign of life. */
  | { readonly kind: 'lost'; readonly at: number };

/**
 * The record of a session that stays after it and its server have ended. It contains no variables and no typed input.
 * Evident secrets in its command are masked, as in the log; long texts are cut.
 */
export interface Receipt {
  /** The server's own name for the process. It is unique for ever. */
  readonly id: string;
  /** The id of the session in the lists of clients. */
  readonly sessionId: string;
  readonly argv: readonly string[];
  readonly commandLine: string;
  readonly cwd: string;
  readonly tty: boolean;
  readonly title?: string;
  readonly origin: SessionOrigin;
  /** The session's number for agents. */
  readonly number?: number;
  /** The workspace folder of the window that started it. */
  readonly folder?: string;
  /** Finds its leftover processes on its machine, see `leftovers`. */
  readonly mark?: string;
  /** Finds the guard's report about it after its server was killed. */
  readonly leader?: ReceiptLeader;
  /** Whether a VS Code window ran it, and not the session server. */
  readonly window?: true;
  /** The name of the machine: several machines may share a home. */
  readonly host: string;
  readonly startedAt: number;
  /** Absent while it runs. */
  readonly end?: ReceiptEnd;
  readonly endedBy?: ReceiptCause;
  /** The steps that a stop has taken. */
  readonly steps: readonly StopStep[];
  /** Its leftover processes at the last look. */
  readonly left: readonly ReceiptLeftover[];
  /** All output, and the part that memory had evicted at the end, in bytes. */
  readonly bytes: number;
  readonly evictedBytes: number;
  /** Whether it had exited, but more output could come, when this was written. */
  readonly outputOpen?: true;
  /** Whether a part of the command is missing here: it looked like a secret, or was too long. */
  readonly incomplete?: true;
}

/** A receipt of a session that has ended. */
export type EndedReceipt = Receipt & { readonly end: ReceiptEnd };

export function hasEnded(receipt: Receipt): receipt is EndedReceipt {
  return receipt.end !== undefined;
}

/** One line of a file with receipts. Among the lines of one session, the last one counts. */
export type ReceiptRecord =
  | { readonly kind: 'receipt'; readonly receipt: Receipt }
  /** The receipt was removed. `lost`: the session counted as lost then. If it has ended since, its receipt is back. */
  | { readonly kind: 'removed'; readonly id: string; readonly lost?: boolean };
