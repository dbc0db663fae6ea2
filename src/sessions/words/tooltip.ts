import { type LaunchOrigin, type Localizer, oneLine, sandboxText, shorten } from '../../core/index.js';
import { LOCAL_ID, type SessionSnapshot } from '../list/index.js';
import { byteText, formatDuration } from './quantities.js';
import { missingText } from './evictionNote.js';
import { endOf, statusSentence } from './status.js';
import { codeBlock, escapeMarkdown } from './text.js';

/** The longest command line in a tooltip, in characters. */
export const COMMAND_LENGTH = 2_000;

interface TooltipOptions {
  readonly now: number;
  readonly l10n: Localizer;
  /** Writes a time, in milliseconds since 1970, in the user's language. */
  readonly formatTime: (time: number) => string;
  /** The name of the session that this one repeats, if it is still in the list. */
  readonly previousLabel?: string | undefined;
  /** For how many hours sessions keep running without a window; -1 for good. */
  readonly keepHours: number;
}

/**
 * Everything known about a session, as Markdown without links, HTML or commands. The status comes first: a long command
 * would push it out of sight.
 */
export function tooltipMarkdown(session: SessionSnapshot, options: TooltipOptions): string {
  const { now, l10n, formatTime, keepHours } = options;
  const title = session.title === undefined ? [] : [`**${escapeMarkdown(session.title)}**`];
  const command = codeBlock(shorten(session.commandLine, COMMAND_LENGTH), 'sh');
  const ended = endOf(session);
  const facts: (readonly [name: string, value: string] | undefined)[] = [
    session.environment.id === LOCAL_ID ? undefined : [l10n.t('Environment'), session.environment.label],
    [l10n.t('Arguments'), shorten(JSON.stringify(session.argv), COMMAND_LENGTH)],
    [l10n.t('Directory'), session.cwd],
    session.folder === undefined || session.folder === session.cwd
      ? undefined
      : [l10n.t('Folder of its window'), session.folder],
    [l10n.t('Runs'), mode(session, l10n)],
    session.sandbox && [l10n.t('Sandbox'), sandboxText(session.sandbox, l10n)],
    session.pid === undefined ? undefined : [l10n.t('Process'), String(session.pid)],
    [l10n.t('Started'), formatTime(session.startedAt)],
    ended === undefined
      ? undefined
      : [
          l10n.t('Ended'),
          l10n.t('{0}, after {1}', formatTime(ended), formatDuration(ended - session.startedAt, l10n)),
        ],
    [l10n.t('Output'), outputText(session, l10n)],
    [l10n.t('Started by'), originText(session.origin, l10n)],
    session.origin.conversation === undefined
      ? undefined
      : [l10n.t('Conversation'), session.origin.conversation],
    controlledBy(session, l10n),
    withoutWindow(session, keepHours, l10n),
    session.previousId === undefined
      ? undefined
      : [l10n.t('Repeats'), options.previousLabel ?? l10n.t('a session that was removed')],
  ];
  const status = factLine(l10n.t('Status'), statusSentence(session, now, l10n));
  const rows = facts.flatMap((fact) => (fact === undefined ? [] : [factLine(...fact)]));
  return [...title, status, command, rows.join('  \n')].join('\n\n');
}

/** A line of a tooltip: a name, and its value as it is. */
export function factLine(name: string, value: string): string {
  return `**${escapeMarkdown(name)}**: ${escapeMarkdown(oneLine(value))}`;
}

/** For a running session: who may type into it, and how to change that. */
function controlledBy(session: SessionSnapshot, l10n: Localizer): readonly [string, string] | undefined {
  if (session.controller === undefined || session.state !== 'running') {
    return undefined;
  }
  return [
    l10n.t('Controlled by'),
    session.controller === 'agent'
      ? l10n.t('{0}; Take Control lets you type', originText(session.origin, l10n))
      : l10n.t('you; Give Back Control lets {0} type', originText(session.origin, l10n)),
  ];
}

/** For a running session that outlives the windows: for how long. */
function withoutWindow(
  session: SessionSnapshot,
  keepHours: number,
  l10n: Localizer,
): readonly [string, string] | undefined {
  if (session.owned !== true || session.state !== 'running') {
    return undefined;
  }
  const soon = session.controller !== undefined && session.keep !== true;
  return [
    l10n.t('Without a window'),
    soon ? l10n.t('ends after ten minutes, unless you choose Keep Running') : keptText(keepHours, l10n),
  ];
}

function keptText(hours: number, l10n: Localizer): string {
  if (hours < 0) {
    return l10n.t('keeps running');
  }
  return hours === 0
    ? l10n.t('ends after two minutes')
    : l10n.t('keeps running for {0}', hours === 1 ? l10n.t('one hour') : l10n.t('{0} hours', hours));
}

function mode(session: SessionSnapshot, l10n: Localizer): string {
  if (session.tty) {
    return l10n.t('in a terminal');
  }
  return session.pipeStdin ? l10n.t('with pipes, standard input open') : l10n.t('with pipes, without input');
}

/** The amount of output, with a note if some of it is no longer kept, or never arrived here. */
function outputText(session: SessionSnapshot, l10n: Localizer): string {
  const { bytes, evicted, missing } = session.output;
  const parts = [byteText(bytes, l10n)];
  if (evicted.bytes > 0) {
    parts.push(l10n.t('the oldest {0} are no longer kept', byteText(evicted.bytes, l10n)));
  }
  if (missing.chunks > 0) {
    parts.push(missingText(missing, l10n));
  }
  return parts.join('; ');
}

export function originText(origin: LaunchOrigin, l10n: Localizer): string {
  const name = origin.name;
  switch (origin.kind) {
    case 'user':
      return name ?? l10n.t('you');
    case 'extension':
      return name === undefined ? l10n.t('an extension') : l10n.t('the extension {0}', name);
    case 'agent':
      return name === undefined ? l10n.t('an agent') : l10n.t('the agent {0}', name);
    case 'other':
      return l10n.t('another program');
  }
}
