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

/** The longest name in any list, in characters; the tooltip has the whole command line. */
const LABEL_LENGTH = 200;
/**
 * The longest name in a row, in characters. At the usual width of a tree it leaves room for the status: `exit 1`,
 * `SIGINT`, `pid 4711`.
 */
const ROW_LENGTH = 24;
/**
 * The longest name in a row below an environment, which is indented further and has more to say: `recovering · 40 s`.
 */
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

/** The icon of a closed session that succeeded: nothing about it asks for attention any more. */
const CLOSED_WELL: RowIcon = { icon: 'check', color: 'disabledForeground' };

export function iconOf(session: SessionSnapshot): RowIcon {
  const look = lookOf(session);
  return look === 'succeeded' && session.state === 'closed' ? CLOSED_WELL : ICONS[look];
}

/** A fact about a row that the conditions of menus can test, between semicolons: `viewItem =~ /;running;/`. */
export type RowFlag =
  | 'session'
  | 'running'
  | 'ended'
  | 'closed'
  | 'tty'
  | 'pipes'
  | 'stdin'
  | 'closable'
  /** An agent started the session. While it runs, it also has one of the next two flags. */
  | 'agent'
  | 'agentControlled'
  | 'taken'
  /** The session waits for a person. */
  | 'waiting'
  /** The session has left something behind that still runs. */
  | 'survivors';

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
    ...(session.survivors ? (['survivors'] as const) : []),
  ];
}

/** Whether an agent controls the session and a person could take control. */
export function canBeTaken(session: SessionSnapshot): boolean {
  return session.controller === 'agent' && session.state === 'running';
}

/** Whether a person controls the session and its agent could have control back. */
export function canBeGivenBack(session: SessionSnapshot): boolean {
  return session.controller === 'person' && session.state === 'running';
}

/** Whether the session was started with an input, and that has not been closed from here. */
export function takesInput(session: SessionSnapshot): boolean {
  return session.tty || (session.pipeStdin && session.inputClosed !== true);
}

/**
 * Whether the session's input can be ended: in a terminal by a key, which always works; a pipe must be closed by the
 * backend, which may not be able to.
 */
export function canCloseInput(session: SessionSnapshot): boolean {
  return takesInput(session) && (session.tty || session.lacks?.includes('closeStdin') !== true);
}

function contextValueOf(session: SessionSnapshot): string {
  return `;${rowFlags(session).join(';')};`;
}
