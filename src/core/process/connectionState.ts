import type { Localizer } from '../localizer.js';

/**
 * The reason why a connection ended, and everything that ran over it. The transport's text for that is `ended`; it is
 * empty if the other side closed the connection properly. The last three kinds come after attempts to resume the
 * connection session.
 */
export type LossReason =
  /** This side was asked to disconnect. */
  | { readonly kind: 'closedHere' }
  | { readonly kind: 'ended'; readonly ended: string }
  /** The other side is gone for good. `ended` is the text of the transport or command that led there. */
  | { readonly kind: 'gone'; readonly ended: string }
  /** The server was told to end, perhaps by a signal, and has ended its processes. */
  | { readonly kind: 'serverEnded'; readonly signal?: string | undefined }
  /** The session server ended without telling its clients (it was killed); nothing listens at its address any more. */
  | { readonly kind: 'sessionServerGone'; readonly ended: string }
  /** The connection still exists, but nothing comes over it. */
  | { readonly kind: 'silent'; readonly seconds: number }
  /** `lastAttempt` is the reason why the last attempt failed, if there was one. */
  | {
      readonly kind: 'timedOut';
      readonly ended: string;
      readonly seconds: number;
      readonly lastAttempt?: string | undefined;
    }
  /**
   * `sessionUnknown`: the server was restarted, or has given up waiting. `answer` is the text of the server's refusal.
   */
  | { readonly kind: 'sessionUnknown' | 'refused'; readonly ended: string; readonly answer: string };

/** The state of the connection to the machine that runs the processes. Times are milliseconds since 1970. */
export type ConnectionState =
  | { readonly kind: 'connected' }
  /** Nothing has failed yet: reads wait, writes are queued. The sessions continue if the connection returns in time. */
  | {
      readonly kind: 'recovering';
      readonly reason: LossReason;
      readonly since: number;
      readonly until: number;
    }
  /** Final. Every process of the backend has failed. */
  | { readonly kind: 'lost'; readonly reason: LossReason };

/** Words a loss for people, as a part of a sentence; `ended` and `answer` are shown unchanged. */
export function describeLoss(reason: LossReason, l10n: Localizer): string {
  switch (reason.kind) {
    case 'closedHere':
      return l10n.t('this side has disconnected');
    case 'ended':
      return reason.ended.trim() === '' ? l10n.t('the other side closed the connection') : reason.ended;
    case 'gone':
      return reason.ended;
    case 'serverEnded':
      return reason.signal === undefined
        ? l10n.t('the exec-server was ended')
        : l10n.t('the exec-server was ended by {0}', reason.signal);
    case 'sessionServerGone':
      return l10n.t('the session server was killed, or has crashed');
    case 'silent':
      return l10n.t('no sign of life for {0} s', reason.seconds);
    case 'timedOut': {
      const said = (reason.lastAttempt ?? reason.ended).trim().replace(/\.$/, '');
      return said === ''
        ? l10n.t('it could not be reached again within {0} s', reason.seconds)
        : l10n.t('{0} (it could not be reached again within {1} s)', said, reason.seconds);
    }
    case 'sessionUnknown':
      return l10n.t('the server was restarted, or has given up waiting');
    case 'refused':
      return l10n.t('the server refuses to resume the connection: {0}', reason.answer);
  }
}

/** The message that a log fails with once the connection is lost. Clients of the exec-server look for these words. */
export function disconnectedText(reason: LossReason): string {
  const text = lossOnWire(reason);
  return `exec-server transport disconnected${text === '' ? '' : `: ${text}`}`;
}

/** Words a loss for logs and for the wire; empty if the other side closed the connection properly. */
export function lossOnWire(reason: LossReason): string {
  switch (reason.kind) {
    case 'closedHere':
      return 'closed by this side';
    case 'ended':
    case 'gone':
      return reason.ended;
    case 'serverEnded':
      return `the server was ended${reason.signal === undefined ? '' : ` by ${reason.signal}`}`;
    case 'sessionServerGone':
      return notResumed(reason.ended, 'the session server has ended');
    case 'silent':
      return `no sign of life for ${reason.seconds} s`;
    case 'timedOut': {
      const last = reason.lastAttempt === undefined ? '' : ` (${reason.lastAttempt})`;
      return notResumed(reason.ended, `recovery timed out after ${reason.seconds}s${last}`);
    }
    case 'sessionUnknown':
    case 'refused':
      return notResumed(reason.ended, reason.answer);
  }
}

function notResumed(ended: string, why: string): string {
  return `${ended === '' ? '' : `${ended}; `}failed to resume exec-server session: ${why}`;
}
