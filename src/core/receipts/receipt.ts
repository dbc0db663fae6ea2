import type { StopStep } from '../process/execBackend.js';
import type { ExitStatus } from '../process/execEvents.js';
import type { ReceiptCause, SessionOrigin } from '../process/metadata.js';

/** The process of a session. */
export interface ReceiptLeader {
  readonly pid: number;
  /** In the machine's unit, where it is known; together with the pid it identifies the process for ever. */
  readonly startTime?: string;
}

/** A process that went on after the end of its session. */
export interface ReceiptLeftover {
  readonly pid: number;
  /** In the machine's unit; together with the pid it identifies the process for ever. */
  readonly startTime: string;
  readonly command: string;
}

/** How a session has ended. Times are milliseconds since 1970. */
export type ReceiptEnd =
  | { readonly kind: 'exit'; readonly at: number; readonly status: ExitStatus }
  /** Its server, or window, has ended without a word, about then: the last sign of life is of that time. */
  | { readonly kind: 'lost'; readonly at: number };

/**
 * What is remembered of a session when it and its server are gone. It has no variables and nothing that was typed.
 * Evident secrets in its command are masked, as in the log; long texts are cut.
 */
export interface Receipt {
  /** The server's own name for the process: unique for ever. */
  readonly id: string;
  /** The id of the session in the lists of clients. */
  readonly sessionId: string;
  readonly argv: readonly string[];
  readonly commandLine: string;
  readonly cwd: string;
  readonly tty: boolean;
  readonly title?: string;
  readonly origin: SessionOrigin;
  /** The number that agents know it by. */
  readonly number?: number;
  /** The workspace folder of the window that started it. */
  readonly folder?: string;
  /** Finds what is left of it among the processes of its machine, see `leftovers`. */
  readonly mark?: string;
  /** Finds out what its guard has done with it, if its server is killed. */
  readonly leader?: ReceiptLeader;
  /** Whether a VS Code window has run it itself, and not the session server. */
  readonly window?: true;
  /** The name of the machine: a home may be shared by several. */
  readonly host: string;
  readonly startedAt: number;
  /** Absent while it runs. */
  readonly end?: ReceiptEnd;
  readonly endedBy?: ReceiptCause;
  /** The steps that a stop has taken. */
  readonly steps: readonly StopStep[];
  /** What was left of it when that was last looked for. */
  readonly left: readonly ReceiptLeftover[];
  /** All output, in bytes, and what of it memory had let go at the end. */
  readonly bytes: number;
  readonly evictedBytes: number;
  /** Whether more output could come when this was written, though it had ended. */
  readonly outputOpen?: true;
  /** Whether the command is not all here: something in it looked like a secret, or it was too long. */
  readonly incomplete?: true;
}

/** A receipt of a session that has ended. */
export type EndedReceipt = Receipt & { readonly end: ReceiptEnd };

export function hasEnded(receipt: Receipt): receipt is EndedReceipt {
  return receipt.end !== undefined;
}

/** One line of a file with receipts: of those of one session, the last one counts. */
export type ReceiptRecord =
  | { readonly kind: 'receipt'; readonly receipt: Receipt }
  /** The receipt was removed. */
  | { readonly kind: 'removed'; readonly id: string };
