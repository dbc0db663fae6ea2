import { type Console, wantsColours, widthOf } from '../console.js';
import { type CliSession, isRunning, nameOf, numberText } from '../sessions/cliSession.js';
import { sessionsJson } from './json.js';
import { oneLine, spanText } from '../../core/index.js';
import { type Cell, type Colour, tableLines } from './table.js';
import { shortId, statusOf } from './words.js';

/** The choice of sessions, and the form of the list. */
export interface ListOptions {
  readonly json: boolean;
  /** Whether ended sessions are listed too. */
  readonly all: boolean;
  /** Ids alone. */
  readonly quiet: boolean;
}

/** The list as it is printed; empty if no session is to be listed and people read it. */
export function listText(
  console: Console,
  sessions: readonly CliSession[],
  { json, all, quiet }: ListOptions,
): string {
  const shown = all ? sessions : sessions.filter(isRunning);
  if (json) {
    return sessionsJson(shown);
  }
  return quiet
    ? shown.map(({ id }) => id).join('\n')
    : sessionTable(shown, sessions, {
        now: console.clock.wallTime(),
        width: widthOf(console),
        colours: wantsColours(console),
      }).join('\n');
}

/**
 * The text in place of an empty list.
 *
 * @param incomplete Whether there is a server that cannot be reached.
 */
export function emptyText({ all }: Pick<ListOptions, 'all'>, incomplete: boolean): string {
  if (incomplete) {
    return 'It is not known what runs: a session server cannot be reached now.';
  }
  return all ? 'There are no sessions.' : 'Nothing runs.';
}

const HEAD: readonly Cell[] = ['#', 'ID', 'STATUS', 'SINCE', 'BY', 'NAME'].map((text) => ({
  text,
  colour: 'bold',
}));

/**
 * The sessions as a table with a head; no lines if there are none.
 *
 * @param all All sessions, among which the shown ids are unique.
 */
function sessionTable(
  shown: readonly CliSession[],
  all: readonly CliSession[],
  options: { readonly now: number; readonly width: number | undefined; readonly colours: boolean },
): readonly string[] {
  return shown.length === 0
    ? []
    : tableLines([HEAD, ...shown.map((session) => row(session, all, options.now))], options);
}

function row(session: CliSession, all: readonly CliSession[], now: number): readonly Cell[] {
  const { info, origin } = session;
  const since = isRunning(session) ? info.startedAt : (info.exitedAt ?? info.closedAt ?? info.startedAt);
  return [
    { text: numberText(session) },
    { text: shortId(session, all) },
    { text: statusOf(session), colour: colourOf(session) },
    { text: spanText(now - since) },
    { text: origin.kind === 'user' ? 'you' : oneLine(origin.name ?? origin.kind).slice(0, 20) },
    { text: oneLine(nameOf(session)) },
  ];
}

function colourOf(session: CliSession): Colour {
  if (isRunning(session)) {
    return 'green';
  }
  return session.info.exit?.exitCode === 0 ? 'dim' : 'red';
}
