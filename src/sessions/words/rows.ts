import { folderTexts, type Localizer, oneLine, pathParts, shorten } from '../../core/index.js';
import type { SessionSnapshot } from '../list/index.js';
import {
  controlSentence,
  inSandbox,
  keepSentence,
  lookOf,
  statusSentence,
  statusText,
  type Look,
} from './status.js';

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
export const LABEL_LENGTH = 200;
/** How a row differs from that of the same session elsewhere in the tree. */
export interface RowPlace {
  /** Whether the row names the environment, because no row above it does. */
  readonly namesEnvironment?: boolean;
  /** Whether the row is below that of a batch, which has the command line. It is called like its environment. */
  readonly inBatch?: boolean;
  /** The folder that the row names, because no row above it does. */
  readonly folder?: string | undefined;
  /** Whether the row still stands at the running place of the session. */
  readonly held?: boolean;
  readonly pinned?: boolean;
  /** Whether people have asked to be told of its end. */
  readonly notifies?: boolean;
}

/** VS Code cuts a name where the view is too narrow for it; its search finds all of it. */
export function sessionRow(
  session: SessionSnapshot,
  now: number,
  l10n: Localizer,
  place: RowPlace = {},
): SessionRow {
  const label =
    place.inBatch === true
      ? shorten(oneLine(session.environment.label), LABEL_LENGTH)
      : sessionLabel(session);
  const status = statusText(session, now, l10n);
  const heard = l10n.t('{0}, {1}', label, statusSentence(session, now, l10n));
  const notifies = place.notifies === true && session.exit === undefined && session.state !== 'lost';
  const more = [
    controlSentence(session, l10n),
    keepSentence(session, l10n),
    session.sandbox && inSandbox(session.sandbox, l10n),
    ...folderTexts(session.folderEnvironment, l10n),
    notifies ? l10n.t('you will be told when it ends') : undefined,
  ];
  return {
    id: session.id,
    label,
    description: [
      status,
      ...(notifies ? [l10n.t('will notify')] : []),
      ...folderTexts(session.folderEnvironment, l10n),
      ...placeNames(session, place),
    ].join(' · '),
    ...iconOf(session),
    accessibilityLabel: more
      .filter((sentence) => sentence !== undefined)
      .reduce((text, sentence) => l10n.t('{0}; {1}', text, sentence), heard),
    contextValue: `;${[...rowFlags(session), ...placeFlags(session, place)].join(';')};`,
  };
}

/** The environment and the folder of the session, unless a row above names them. */
function placeNames(session: SessionSnapshot, { namesEnvironment, folder }: RowPlace): readonly string[] {
  return [
    ...(namesEnvironment === true ? [oneLine(session.environment.label)] : []),
    ...(folder === undefined ? [] : [oneLine(pathParts(folder).name)]),
  ];
}

export function sessionLabel(session: SessionSnapshot): string {
  return shorten(oneLine(session.title ?? session.commandLine), LABEL_LENGTH);
}

export const ICONS: Readonly<Record<Look, RowIcon>> = {
  starting: { icon: 'loading~spin' },
  running: { icon: 'play-circle', color: 'debugIcon.startForeground' },
  waiting: { icon: 'key', color: 'problemsWarningIcon.foreground' },
  stopping: { icon: 'loading~spin' },
  recovering: { icon: 'sync~spin', color: 'problemsWarningIcon.foreground' },
  succeeded: { icon: 'pass', color: 'testing.iconPassed' },
  failed: { icon: 'error', color: 'testing.iconFailed' },
  killed: { icon: 'circle-slash', color: 'debugIcon.stopForeground' },
  stopped: { icon: 'circle-slash', color: 'disabledForeground' },
  lost: { icon: 'debug-disconnect', color: 'problemsWarningIcon.foreground' },
};

/** The icon of a closed session that succeeded: nothing about it asks for attention any more. */
export const CLOSED_WELL: RowIcon = { icon: 'check', color: 'disabledForeground' };

/** The icon of a running session that an agent has started and controls. */
const AGENT_RUNNING: RowIcon = { icon: 'hubot', color: 'debugIcon.startForeground' };

export function iconOf(session: SessionSnapshot): RowIcon {
  const look = lookOf(session);
  if (look === 'running' && session.controller === 'agent') {
    return AGENT_RUNNING;
  }
  if (look === 'waiting' && session.waitsForPerson === undefined) {
    return { ...ICONS.waiting, icon: 'question' };
  }
  return look === 'succeeded' && session.state === 'closed' ? CLOSED_WELL : ICONS[look];
}

/** A fact about a row that the conditions of menus can test, between semicolons: `viewItem =~ /;running;/`. */
type RowFlag =
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
  /** An agent's session that a person could keep running without a window, and one that is kept. */
  | 'keepable'
  | 'kept'
  /** Its output is kept on disk, or could be. */
  | 'outputKept'
  | 'outputKeepable'
  /** The session waits for a person. */
  | 'waiting'
  /** The session has leftover processes. */
  | 'survivors'
  /** The session has ended, and its row has taken its place among the ended ones: its buttons may change now. */
  | 'settled'
  | 'pinned'
  | 'unpinned';

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
    ...(canBeKept(session) ? (['keepable'] as const) : []),
    ...(canBeLeftAlone(session) ? (['kept'] as const) : []),
    ...(canKeepOutput(session) ? (['outputKeepable'] as const) : []),
    ...(session.outputOnDisk === 'kept' ? (['outputKept'] as const) : []),
    ...((session.waitsForPerson ?? session.asks) ? (['waiting'] as const) : []),
    ...(session.survivors ? (['survivors'] as const) : []),
  ];
}

const TERMINAL_FLAGS = ['session', 'running', 'ended', 'agentControlled', 'taken'] as const;

/** The flags of a session that the menus of its terminal ask about. */
export function terminalContext(session: SessionSnapshot): string {
  const flags = rowFlags(session);
  return `;${TERMINAL_FLAGS.filter((flag) => flags.includes(flag)).join(';')};`;
}

/** Whether an agent controls the session and a person could take control. */
export function canBeTaken(session: SessionSnapshot): boolean {
  return session.controller === 'agent' && session.state === 'running';
}

/** Whether a person controls the session and its agent could have control back. */
export function canBeGivenBack(session: SessionSnapshot): boolean {
  return session.controller === 'person' && session.state === 'running';
}

/** Whether an agent's session would be ended soon after the last window has closed, and need not be. */
export function canBeKept(session: SessionSnapshot): boolean {
  return endsSoonAlone(session) && session.keep !== true;
}

/** Whether an agent's session is kept running without a window, and need not be. */
export function canBeLeftAlone(session: SessionSnapshot): boolean {
  return endsSoonAlone(session) && session.keep === true;
}

/** Whether the output of the session could be kept on disk, and is not. */
export function canKeepOutput({ outputOnDisk, state }: SessionSnapshot): boolean {
  return outputOnDisk === 'none' && state === 'running';
}

/** Sessions that outlive the windows: agents' sessions do so for a few minutes, unless they are kept. */
function endsSoonAlone({ controller, owned, state }: SessionSnapshot): boolean {
  return controller !== undefined && owned === true && state === 'running';
}

/** Whether the session was started with an input that this window has not closed. */
export function takesInput(session: SessionSnapshot): boolean {
  return session.tty || (session.pipeStdin && session.inputClosed !== true);
}

/**
 * Whether the session's input can be ended. In a terminal a key always does it; a pipe must be closed by the backend,
 * which may not be able to.
 */
export function canCloseInput(session: SessionSnapshot): boolean {
  return takesInput(session) && (session.tty || session.lacks?.includes('closeStdin') !== true);
}

function placeFlags({ state }: SessionSnapshot, { held, pinned }: RowPlace): readonly RowFlag[] {
  const ended = state !== 'starting' && state !== 'running';
  return [...(ended && held !== true ? (['settled'] as const) : []), pinned === true ? 'pinned' : 'unpinned'];
}
