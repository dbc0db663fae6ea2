import type { Localizer } from '../../core/index.js';
import type { SessionSnapshot } from '../list/index.js';
import { failureText } from './errorText.js';
import { formatDuration } from './quantities.js';
import { endOf, lookOf, signalOf } from './status.js';
import { nameInMessage } from './text.js';

/** The sessions that a person may want to know about at any time, each in the order of their start. */
export interface Attention {
  /** The sessions that wait for a person. */
  readonly waiting: readonly SessionSnapshot[];
  /** The running sessions that do not wait. */
  readonly running: readonly SessionSnapshot[];
}

export function attention(sessions: readonly SessionSnapshot[]): Attention {
  const waiting = sessions.filter((session) => lookOf(session) === 'waiting');
  const running = sessions.filter(
    (session) => (session.state === 'running' || session.state === 'starting') && !waiting.includes(session),
  );
  return { waiting, running };
}

/** The number of waiting and of running sessions, in words; empty without any. */
export function attentionText({ waiting, running }: Attention, l10n: Localizer): string {
  const parts = [
    waiting.length === 0
      ? ''
      : waiting.length === 1
        ? l10n.t('One session waits for you')
        : l10n.t('{0} sessions wait for you', waiting.length),
    running.length === 0
      ? ''
      : running.length === 1
        ? l10n.t('One session is running')
        : l10n.t('{0} sessions are running', running.length),
  ];
  return parts.filter((part) => part !== '').join('; ');
}

/** Whether a session ended in a way that its starter probably did not want. */
export function hasFailed(session: SessionSnapshot): boolean {
  return ['failed', 'killed', 'lost'].includes(lookOf(session));
}

/** Says in one sentence how a session has ended. */
export function endSentence(session: SessionSnapshot, l10n: Localizer): string {
  const name = nameInMessage(session.title ?? session.commandLine);
  const duration = formatDuration((endOf(session) ?? session.startedAt) - session.startedAt, l10n);
  const signal = signalOf(session);
  if (session.exit === undefined) {
    return l10n.t('"{0}" was lost: {1}', name, failureText(session.failure, l10n));
  }
  return signal === undefined
    ? l10n.t('"{0}" exited with code {1} after {2}.', name, session.exit.exitCode, duration)
    : l10n.t('"{0}" was ended by {1} after {2}.', name, signal, duration);
}
