import type { Localizer } from '../core/index.js';
import { longDuration, shortAgo, shortDuration } from './duration.js';
import type { SessionSnapshot } from './session.js';

/** What a session looks like at a glance. */
export type Look = 'starting' | 'running' | 'stopping' | 'succeeded' | 'failed' | 'killed' | 'lost';

export function lookOf(session: SessionSnapshot): Look {
  switch (session.state) {
    case 'starting':
      return 'starting';
    case 'running':
      return session.stopping ? 'stopping' : 'running';
    case 'exited':
    case 'closed':
      if (session.exit?.signal !== undefined) {
        return 'killed';
      }
      return session.exit?.exitCode === 0 ? 'succeeded' : 'failed';
    case 'lost':
      return 'lost';
  }
}

/** When the session ended, as far as it has. */
export function endOf(session: SessionSnapshot): number | undefined {
  return session.exitedAt ?? session.closedAt;
}

/** What happened and when, short enough to stand beside the command line. */
export function statusText(session: SessionSnapshot, now: number, l10n: Localizer): string {
  const ended = endOf(session);
  const ago = ended === undefined ? undefined : shortAgo(now - ended, l10n);
  const facts = [...shortFacts(session, now, l10n), ...(ago === undefined ? [] : [ago])];
  return facts.join(' · ');
}

function shortFacts(session: SessionSnapshot, now: number, l10n: Localizer): readonly string[] {
  switch (session.state) {
    case 'starting':
      return [l10n.t('starting…')];
    case 'running':
      return [
        ...(session.stopping ? [l10n.t('stopping…')] : []),
        ...(session.pid === undefined ? [] : [l10n.t('pid {0}', session.pid)]),
        shortDuration(now - session.startedAt, l10n),
      ];
    case 'exited':
      return [exitText(session, l10n), l10n.t('output still open')];
    case 'closed':
      return [exitText(session, l10n)];
    case 'lost':
      return [l10n.t('lost')];
  }
}

/** `exit 1`, or the name of the signal that ended it. */
export function exitText(session: SessionSnapshot, l10n: Localizer): string {
  if (session.exit === undefined) {
    return l10n.t('ended');
  }
  return session.exit.signal ?? l10n.t('exit {0}', session.exit.exitCode);
}

/** The same in a full sentence, for those who hear it. */
export function statusSentence(session: SessionSnapshot, now: number, l10n: Localizer): string {
  const ended = endOf(session);
  const sentence = sentenceOf(session, now, l10n);
  return ended === undefined ? sentence : l10n.t('{0}, {1} ago', sentence, longDuration(now - ended, l10n));
}

function sentenceOf(session: SessionSnapshot, now: number, l10n: Localizer): string {
  switch (session.state) {
    case 'starting':
      return l10n.t('is starting');
    case 'running': {
      const since = longDuration(now - session.startedAt, l10n);
      return session.stopping
        ? l10n.t('is being stopped, has run for {0}', since)
        : l10n.t('has been running for {0}', since);
    }
    case 'exited':
      return l10n.t('{0}, its output is still open', endSentence(session, l10n));
    case 'closed':
      return endSentence(session, l10n);
    case 'lost':
      return l10n.t('was lost: {0}', session.failure ?? l10n.t('the reason is not known'));
  }
}

function endSentence(session: SessionSnapshot, l10n: Localizer): string {
  if (session.exit === undefined) {
    return l10n.t('ended');
  }
  return session.exit.signal === undefined
    ? l10n.t('exited with code {0}', session.exit.exitCode)
    : l10n.t('was ended by the signal {0}', session.exit.signal);
}
