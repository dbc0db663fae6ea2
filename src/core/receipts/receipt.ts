import type { StopStep } from '../process/execBackend.js';
import type { ExitStatus } from '../process/execEvents.js';
import type { Sandbox } from '../process/sandbox.js';
import type { ReceiptCause, SessionOrigin } from '../metadata.js';
import { english, type Localizer } from '../localizer.js';
import { oneLine } from '../oneLine.js';
import { spanText } from '../timeSpan.js';

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
  readonly sandbox?: Sandbox;
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

/** The longest name of an agent that is shown, in characters. */
const NAME_LENGTH = 60;

/** Names the cause of a session's end, as a part of a sentence. Models and the command line get plain English. */
export function causeText(
  cause: ReceiptCause,
  l10n: Localizer = english,
  nameOf = (name: string) => oneLine(name, NAME_LENGTH),
): string {
  switch (cause.kind) {
    case 'person':
      return l10n.t('stopped by a person');
    case 'agent': {
      // With a signal, the agent only sent the signal and did not stop the session.
      const sent = cause.signal !== undefined;
      if (cause.name === undefined) {
        return sent ? l10n.t('sent by an agent') : l10n.t('stopped by an agent');
      }
      const name = nameOf(cause.name);
      return sent ? l10n.t('sent by {0}', name) : l10n.t('stopped by {0}', name);
    }
    // VS Code windows have words of their own for this.
    case 'keepWithoutClient':
      return cause.afterSeconds === undefined
        ? 'stopped because nobody was there for too long'
        : `stopped because nobody was there for ${spanText(cause.afterSeconds * 1_000)}`;
    case 'server':
      return l10n.t('ended with the session server');
    case 'window':
      return l10n.t('ended with its VS Code window');
    case 'guard':
      return l10n.t('stopped by the guard');
  }
}

/** Names the program whose end lost a session, as the subject of a sentence. */
export function holderText({ window }: EndedReceipt): string {
  return window === true ? 'its VS Code window' : 'its server';
}
