import type { Localizer } from '../../core/index.js';
import type { SessionSnapshot } from '../list/index.js';
import { controlSentence, lookOf, statusSentence, statusText, type Look } from './status.js';
import { oneLine, shorten } from './text.js';

/** An icon of VS Code by its name, and a colour of its themes. */
export interface RowIcon {
  readonly icon: string;
  readonly color?: string;
}

/** One session as the tree shows it. Equal rows look the same. */
export interface SessionRow extends RowIcon {
  readonly id: string;
  readonly label: string;
  readonly description: string;
  readonly accessibilityLabel: string;
  readonly contextValue: string;
}

/** Longer than this no list shows a name; the tooltip has the whole command line. */
const LABEL_LENGTH = 200;
/** At the usual width of a tree this leaves room for what happened: `exit 1`, `SIGINT`, `pid 4711`. */
const ROW_LENGTH = 24;
/** The same one level further in, where there is more to say: `recovering · 40 s`. */
const INNER_ROW_LENGTH = 16;

/** @param inner Whether the row lies below an environment. */
export function sessionRow(
  session: SessionSnapshot,
  now: number,
  l10n: Localizer,
  inner = false,
): SessionRow {
  const label = sessionLabel(session);
  const heard = l10n.t('{0}, {1}', label, statusSentence(session, now, l10n));
  const control = controlSentence(session, l10n);
  return {
    id: session.id,
    label: shorten(label, inner ? INNER_ROW_LENGTH : ROW_LENGTH),
    description: statusText(session, now, l10n),
    ...iconOf(session),
    accessibilityLabel: control === undefined ? heard : l10n.t('{0}; {1}', heard, control),
    contextValue: contextValueOf(session),
  };
}

export function sessionLabel(session: SessionSnapshot): string {
  return shorten(oneLine(session.title ?? session.commandLine), LABEL_LENGTH);
}

const ICONS: Readonly<Record<Look, RowIcon>> = {
  starting: { icon: 'loading~spin' },
  running: { icon: 'play-circle', color: 'debugIcon.startForeground' },
  waiting: { icon: 'key', color: 'problemsWarningIcon.foreground' },
  stopping: { icon: 'loading~spin' },
  recovering: { icon: 'sync~spin', color: 'problemsWarningIcon.foreground' },
  succeeded: { icon: 'pass', color: 'testing.iconPassed' },
  failed: { icon: 'error', color: 'testing.iconFailed' },
  killed: { icon: 'circle-slash', color: 'debugIcon.stopForeground' },
  lost: { icon: 'debug-disconnect', color: 'problemsWarningIcon.foreground' },
};

/** What a closed session that ended well shows: nothing about it asks for attention any more. */
const CLOSED_WELL: RowIcon = { icon: 'check', color: 'disabledForeground' };

export function iconOf(session: SessionSnapshot): RowIcon {
  const look = lookOf(session);
  return look === 'succeeded' && session.state === 'closed' ? CLOSED_WELL : ICONS[look];
}

/** What menus can ask of a row, each between semicolons: `viewItem =~ /;running;/`. */
export type RowFlag =
  | 'session'
  | 'running'
  | 'ended'
  | 'closed'
  | 'tty'
  | 'pipes'
  | 'stdin'
  | 'closable'
  /** An agent started it. While it runs one of the next two is there as well. */
  | 'agent'
  | 'agentControlled'
  | 'taken'
  /** It waits for a person. */
  | 'waiting';

export function rowFlags(session: SessionSnapshot): readonly RowFlag[] {
  const ended = session.state !== 'starting' && session.state !== 'running';
  const closed = session.state === 'closed' || session.state === 'lost';
  return [
    'session',
    ended ? 'ended' : 'running',
    ...(closed ? (['closed'] as const) : []),
    session.tty ? 'tty' : 'pipes',
    ...(takesInput(session) ? (['stdin'] as const) : []),
    ...(canCloseInput(session) ? (['closable'] as const) : []),
    ...(session.controller === undefined ? [] : (['agent'] as const)),
    ...(canBeTaken(session) ? (['agentControlled'] as const) : []),
    ...(canBeGivenBack(session) ? (['taken'] as const) : []),
    ...(session.waitsForPerson ? (['waiting'] as const) : []),
  ];
}

/** Whether an agent controls it and a person could. */
export function canBeTaken(session: SessionSnapshot): boolean {
  return session.controller === 'agent' && session.state === 'running';
}

/** Whether a person controls what an agent could. */
export function canBeGivenBack(session: SessionSnapshot): boolean {
  return session.controller === 'person' && session.state === 'running';
}

/** Whether it was given an input that is still open, as far as that is up to us. */
export function takesInput(session: SessionSnapshot): boolean {
  return session.tty || (session.pipeStdin && session.inputClosed !== true);
}

/** In a terminal that is a key; a pipe is for the backend to close. */
export function canCloseInput(session: SessionSnapshot): boolean {
  return takesInput(session) && (session.tty || session.lacks?.includes('closeStdin') !== true);
}

function contextValueOf(session: SessionSnapshot): string {
  return `;${rowFlags(session).join(';')};`;
}
