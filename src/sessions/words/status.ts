import {
  type Localizer,
  oneLine,
  refusalText,
  type Sandbox,
  sandboxText,
  shorten,
} from '../../core/index.js';
import { type EndedBy, secondsLeft, type SessionSnapshot } from '../list/index.js';
import { longDuration, shortAgo, shortDuration } from './quantities.js';
import { failureText } from './errorText.js';
import { survivorNames } from './survivorNames.js';

/** The state of a session at a glance, as its icon shows it. */
export type Look =
  | 'starting'
  | 'running'
  | 'waiting'
  | 'stopping'
  | 'recovering'
  | 'succeeded'
  /** It ended because somebody wanted it to. */
  | 'stopped'
  | 'failed'
  | 'killed'
  | 'lost';

export function lookOf(session: SessionSnapshot): Look {
  switch (session.state) {
    case 'starting':
      return 'starting';
    case 'running':
      if (session.recovering) {
        return 'recovering';
      }
      return session.stopping ? 'stopping' : (session.waitsForPerson ?? session.asks) ? 'waiting' : 'running';
    case 'exited':
    case 'closed':
      return lookOfEnd(session);
    case 'lost':
      return session.exit === undefined ? 'lost' : lookOfEnd(session);
  }
}

function lookOfEnd({ exit, stopped, signalledByAgent }: SessionSnapshot): Look {
  // This signal usually comes from a person's Ctrl-C in some terminal, unless an agent is known to have sent it.
  if (stopped === true || (exit?.signal === 'SIGINT' && signalledByAgent !== true)) {
    return 'stopped';
  }
  if (exit?.signal !== undefined) {
    return 'killed';
  }
  return exit?.exitCode === 0 ? 'succeeded' : 'failed';
}

/** Whether the session failed, or was lost. */
export function isFailure(session: SessionSnapshot): boolean {
  return FAILURES.has(lookOf(session));
}

const FAILURES: ReadonlySet<Look> = new Set(['failed', 'killed', 'lost']);

/** The time when the session ended, in milliseconds since 1970; undefined before. */
export function endOf(session: SessionSnapshot): number | undefined {
  return session.exitedAt ?? session.closedAt;
}

/** The status and how long ago it was reached, short enough to stand beside the command line. */
export function statusText(session: SessionSnapshot, now: number, l10n: Localizer): string {
  const ended = endOf(session);
  const ago = ended === undefined ? undefined : shortAgo(now - ended, l10n);
  // The state comes first: a narrow view cuts the rest.
  const facts = [
    ...shortFacts(session, now, l10n),
    ...(ago === undefined ? [] : [ago]),
    ...agentText(session, l10n),
    ...(session.keep && session.state === 'running' ? [l10n.t('kept running')] : []),
    ...(session.sandbox ? [inSandbox(session.sandbox, l10n)] : []),
  ];
  return facts.join(' · ');
}

/** The bounds of a session, as a part of a sentence. */
export function inSandbox(sandbox: Sandbox, l10n: Localizer): string {
  return l10n.t('sandbox: {0}', sandboxText(sandbox, l10n));
}

/** Says that an agent started the session, and whether a person has taken control of it. */
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
      if (session.asks && !session.stopping) {
        const { question, since } = session.asks;
        return [l10n.t('asks: {0}', shorten(question, QUOTE_LENGTH)), shortDuration(now - since, l10n)];
      }
      return [
        ...(session.stopping ? [l10n.t('stopping…')] : []),
        ...portsText(session),
        shortDuration(now - session.startedAt, l10n),
      ];
    case 'exited':
      return session.recovering
        ? [exitText(session, l10n), ...recoveringText(session.recovering.until, now, l10n)]
        : [exitText(session, l10n), leftText(session, l10n) ?? l10n.t('output still open')];
    case 'closed': {
      const left = leftText(session, l10n);
      return [exitText(session, l10n), ...(left === undefined ? [] : [left])];
    }
    case 'lost': {
      const why = session.failure && failureText(session.failure, l10n);
      if (session.exit !== undefined) {
        return [exitText(session, l10n), cutOffText(why, l10n)];
      }
      return [why === undefined ? l10n.t('lost') : lostText(why, l10n)];
    }
  }
}

/** The most ports that a row names. */
const MOST_PORTS = 3;

/** The ports that a program listens at, in little room: `:3000 :3001 :3002 +2`. */
export function portsText({
  ports = [],
}: {
  readonly ports?: readonly number[] | undefined;
}): readonly string[] {
  const shown = ports.slice(0, MOST_PORTS).map((port) => `:${port}`);
  const more = ports.length > MOST_PORTS ? [`+${ports.length - MOST_PORTS}`] : [];
  return shown.length === 0 ? [] : [[...shown, ...more].join(' ')];
}

/** Says, in little room, how many processes the session has left behind, if any. */
function leftText({ survivors }: SessionSnapshot, l10n: Localizer): string | undefined {
  if (survivors === undefined) {
    return undefined;
  }
  return survivors.length === 1
    ? l10n.t('1 process still runs')
    : l10n.t('{0} processes still run', survivors.length);
}

/** Says, in little room, that the machine cannot be reached for now. `until` is the time when that becomes final. */
function recoveringText(until: number, now: number, l10n: Localizer): readonly string[] {
  return [l10n.t('recovering'), l10n.t('{0} s', secondsLeft(until, now))];
}

/** The longest reason or question in a row, in characters; the tooltip has more of it. */
const QUOTE_LENGTH = 80;

/** Says that a process has exited, but that the rest of its output was lost. */
function cutOffText(reason: string | undefined, l10n: Localizer): string {
  return reason === undefined
    ? l10n.t('output cut off')
    : l10n.t('output cut off: {0}', shorten(reason, QUOTE_LENGTH));
}

export function lostText(reason: string, l10n: Localizer): string {
  return l10n.t('lost: {0}', shorten(reason, QUOTE_LENGTH));
}

/** `exit 1`, or the name of the signal that ended the process. */
function exitText(session: SessionSnapshot, l10n: Localizer): string {
  if (session.exit === undefined) {
    return l10n.t('ended');
  }
  if (session.endedBy?.kind === 'keepWithoutClient') {
    return withoutWindowText(session.endedBy, l10n);
  }
  const exit = signalOf(session) ?? l10n.t('exit {0}', session.exit.exitCode);
  if (session.stopped === true) {
    return l10n.t('stopped · {0}', exit);
  }
  const refusal = refusalText(session.exit, l10n);
  return refusal === undefined ? exit : `${exit} · ${refusal}`;
}

/** Says, in little room, that it was ended since no window was open any more. */
export function withoutWindowText({ afterSeconds }: Pick<EndedBy, 'afterSeconds'>, l10n: Localizer): string {
  return afterSeconds === undefined
    ? l10n.t('ended without a window')
    : l10n.t('ended {0} after the last window', shortDuration(afterSeconds * 1_000, l10n));
}

/** The longest signal name that is shown, in characters. Real names are shorter, but a server may send any text. */
const SIGNAL_LENGTH = 20;

/** The signal that ended the process, if one did. */
export function signalOf({ exit }: SessionSnapshot): string | undefined {
  return exit?.signal === undefined ? undefined : shorten(oneLine(exit.signal), SIGNAL_LENGTH);
}

/** The status in full sentences, for tooltips and screen readers. The last one has no full stop. */
export function statusSentence(session: SessionSnapshot, now: number, l10n: Localizer): string {
  const ended = endOf(session);
  const status = sentenceOf(session, now, l10n);
  return [
    ended === undefined ? status : l10n.t('{0}, {1} ago', status, longDuration(now - ended, l10n)),
    ...(session.survivors === undefined
      ? []
      : [l10n.t('It left {0} running', survivorNames(session.survivors, l10n))]),
    ...(session.state === 'exited' ? [l10n.t('Its output is still open')] : []),
    // Without the seconds that are left: it would change with each of them.
    ...(session.recovering ? [l10n.t('The connection to its machine is being restored')] : []),
  ].join('. ');
}

/** Says in a full sentence that an agent's session outlives the windows longer than others of agents. */
export function keepSentence(session: SessionSnapshot, l10n: Localizer): string | undefined {
  return session.keep && session.state === 'running'
    ? l10n.t('it is kept running without a window')
    : undefined;
}

/** Says in a full sentence who controls the session; undefined if no agent is involved. */
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
      const running = session.waitsForPerson
        ? l10n.t('waits for you to type a secret, has been running for {0}', since)
        : session.asks
          ? l10n.t('asks "{0}", has been running for {1}', session.asks.question, since)
          : l10n.t('has been running for {0}', since);
      return session.ports === undefined
        ? running
        : l10n.t('{0}, listens at port {1}', running, session.ports.join(', '));
    }
    case 'exited':
    case 'closed':
      return endSentence(session, l10n);
    case 'lost': {
      const why = failureText(session.failure, l10n);
      return session.exit === undefined
        ? l10n.t('was lost: {0}', why)
        : l10n.t('{0}, the rest of its output was lost: {1}', endSentence(session, l10n), why);
    }
  }
}

function endSentence(session: SessionSnapshot, l10n: Localizer): string {
  if (session.exit === undefined) {
    return l10n.t('ended');
  }
  if (session.endedBy?.kind === 'keepWithoutClient') {
    const { afterSeconds } = session.endedBy;
    return afterSeconds === undefined
      ? l10n.t('was ended because no window was open any more')
      : l10n.t('was ended {0} after the last window had closed', longDuration(afterSeconds * 1_000, l10n));
  }
  const signal = signalOf(session);
  const sentence =
    signal === undefined
      ? l10n.t('exited with code {0}', session.exit.exitCode)
      : l10n.t('was ended by the signal {0}', signal);
  if (session.stopped === true) {
    return l10n.t('was stopped: {0}', sentence);
  }
  const refusal = refusalText(session.exit, l10n);
  return refusal === undefined ? sentence : l10n.t('{0}, {1}', sentence, refusal);
}
