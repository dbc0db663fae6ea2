import type { Localizer } from '../../core/index.js';
import { secondsLeft, type SessionSnapshot } from '../list/index.js';
import { longDuration, shortAgo, shortDuration } from './duration.js';
import { lossText } from './lossText.js';
import { oneLine, shorten } from './text.js';

/** What a session looks like at a glance. */
export type Look =
  'starting' | 'running' | 'waiting' | 'stopping' | 'recovering' | 'succeeded' | 'failed' | 'killed' | 'lost';

export function lookOf(session: SessionSnapshot): Look {
  switch (session.state) {
    case 'starting':
      return 'starting';
    case 'running':
      if (session.recovering) {
        return 'recovering';
      }
      return session.stopping ? 'stopping' : session.waitsForPerson ? 'waiting' : 'running';
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
  const facts = [
    ...agentText(session, l10n),
    ...shortFacts(session, now, l10n),
    ...(ago === undefined ? [] : [ago]),
  ];
  return facts.join(' · ');
}

/** That an agent started it, and whether a person has taken it over. */
function agentText(session: SessionSnapshot, l10n: Localizer): readonly string[] {
  if (session.controller === undefined) {
    return [];
  }
  const yours = session.controller === 'person' && session.state === 'running';
  return [yours ? l10n.t('agent, you control') : l10n.t('agent')];
}

function shortFacts(session: SessionSnapshot, now: number, l10n: Localizer): readonly string[] {
  switch (session.state) {
    case 'starting':
      return [l10n.t('starting…')];
    case 'running':
      if (session.recovering) {
        return recoveringText(session.recovering.until, now, l10n);
      }
      if (session.waitsForPerson && !session.stopping) {
        return [l10n.t('waits for a secret'), shortDuration(now - session.startedAt, l10n)];
      }
      return [
        ...(session.stopping ? [l10n.t('stopping…')] : []),
        ...(session.pid === undefined ? [] : [l10n.t('pid {0}', session.pid)]),
        shortDuration(now - session.startedAt, l10n),
      ];
    case 'exited':
      return session.recovering
        ? [exitText(session, l10n), ...recoveringText(session.recovering.until, now, l10n)]
        : [exitText(session, l10n), l10n.t('output still open')];
    case 'closed':
      return [exitText(session, l10n)];
    case 'lost':
      return [lostText(session.failure, l10n)];
  }
}

/** Its machine cannot be reached for now; `until` is when that becomes final. There is little room. */
function recoveringText(until: number, now: number, l10n: Localizer): readonly string[] {
  return [l10n.t('recovering'), l10n.t('{0} s', secondsLeft(until, now))];
}

/** More of a reason than this is read in the tooltip. */
const REASON_LENGTH = 80;

export function lostText(reason: string | undefined, l10n: Localizer): string {
  return reason === undefined
    ? l10n.t('lost')
    : l10n.t('lost: {0}', shorten(lossText(reason, l10n), REASON_LENGTH));
}

/** `exit 1`, or the name of the signal that ended it. */
export function exitText(session: SessionSnapshot, l10n: Localizer): string {
  if (session.exit === undefined) {
    return l10n.t('ended');
  }
  return signalOf(session) ?? l10n.t('exit {0}', session.exit.exitCode);
}

/** What signals are called is short; a server may call them anything. */
const SIGNAL_LENGTH = 20;

/** The signal that ended it, if one did. */
export function signalOf({ exit }: SessionSnapshot): string | undefined {
  return exit?.signal === undefined ? undefined : shorten(oneLine(exit.signal), SIGNAL_LENGTH);
}

/** The same in a full sentence, for those who hear it. */
export function statusSentence(session: SessionSnapshot, now: number, l10n: Localizer): string {
  const ended = endOf(session);
  // Without the seconds: it would change with each of them.
  const sentence = session.recovering
    ? l10n.t('{0}; the connection to its machine is being restored', sentenceOf(session, now, l10n))
    : sentenceOf(session, now, l10n);
  return ended === undefined ? sentence : l10n.t('{0}, {1} ago', sentence, longDuration(now - ended, l10n));
}

/** Who controls it, in a full sentence; undefined if no agent is involved. */
export function controlSentence(session: SessionSnapshot, l10n: Localizer): string | undefined {
  if (session.controller === undefined) {
    return undefined;
  }
  if (session.state !== 'running') {
    return l10n.t('an agent started it');
  }
  switch (session.controller) {
    case 'agent':
      return l10n.t('an agent controls it');
    case 'person':
      return l10n.t('you have taken control of it from an agent');
  }
}

function sentenceOf(session: SessionSnapshot, now: number, l10n: Localizer): string {
  switch (session.state) {
    case 'starting':
      return l10n.t('is starting');
    case 'running': {
      const since = longDuration(now - session.startedAt, l10n);
      if (session.stopping) {
        return l10n.t('is being stopped, has run for {0}', since);
      }
      return session.waitsForPerson
        ? l10n.t('waits for you to type a secret, has been running for {0}', since)
        : l10n.t('has been running for {0}', since);
    }
    case 'exited':
      return l10n.t('{0}, its output is still open', endSentence(session, l10n));
    case 'closed':
      return endSentence(session, l10n);
    case 'lost':
      return l10n.t('was lost: {0}', lossText(session.failure, l10n));
  }
}

function endSentence(session: SessionSnapshot, l10n: Localizer): string {
  if (session.exit === undefined) {
    return l10n.t('ended');
  }
  const signal = signalOf(session);
  return signal === undefined
    ? l10n.t('exited with code {0}', session.exit.exitCode)
    : l10n.t('was ended by the signal {0}', signal);
}
