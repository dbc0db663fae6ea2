import type { Colour, Console, Line, Painted } from '../console.js';
import { type CliSession, isRunning, nameOf, numberText } from '../sessions/cliSession.js';
import { sessionsJson } from './json.js';
import { refusalText, sandboxText, shorten, type Sighting, spanText } from '../../core/index.js';
import { tableLines } from './table.js';
import { shortId, statusOf } from './words.js';

/** The choice of sessions, and the form of the list. */
export interface ListOptions {
  readonly json: boolean;
  /** Whether ended sessions are listed too. */
  readonly all: boolean;
  /** Ids alone, and the number of a session whose id could be more than a word to a shell. */
  readonly quiet: boolean;
}

const HEAD = ['#', 'ID', 'STATUS', 'SINCE', 'BY', 'NAME'];
/** An id that neither a shell nor this program takes for anything else. Clients of a server choose ids themselves. */
const SAFE_ID = /^\w[\w.:-]*$/;

/**
 * The list as it is printed; empty if no session is to be listed and people read it.
 *
 * @param incomplete Whether there is a server that cannot be reached.
 * @param others The processes that are no sessions, if they are wanted.
 */
export function listLines(
  console: Console,
  sessions: readonly CliSession[],
  { json, all, quiet }: ListOptions,
  incomplete: boolean,
  others?: readonly Sighting[],
): readonly Line[] {
  const shown = all ? sessions : sessions.filter(isRunning);
  if (json) {
    return [sessionsJson(shown, incomplete, others)];
  }
  if (quiet) {
    return shown.flatMap(({ id, number }) =>
      SAFE_ID.test(id) ? id : number === undefined ? [] : String(number),
    );
  }
  const now = console.clock.wallTime();
  return shown.length === 0
    ? []
    : tableLines(
        console,
        HEAD,
        shown.map((session) => row(session, sessions, now)),
      );
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
  return all ? 'There are no sessions.' : 'No session runs.';
}

function row(session: CliSession, all: readonly CliSession[], now: number): readonly Painted[] {
  const { info, origin } = session;
  const since = isRunning(session) ? info.startedAt : (info.exitedAt ?? info.closedAt ?? info.startedAt);
  return [
    { text: numberText(session) },
    { text: shortId(session, all) },
    { text: statusOf(session), colour: colourOf(session) },
    { text: spanText(now - since) },
    { text: origin.kind === 'user' ? 'you' : shorten(origin.name ?? origin.kind, 20) },
    { text: [nameOf(session), ...boundsOf(session)].join(' · ') },
  ];
}

/** The sandbox of a session, and what it seems to have refused. */
function boundsOf({ info: { sandbox, exit } }: CliSession): readonly string[] {
  const refusal = exit && refusalText(exit);
  return [
    ...(sandbox ? [`sandbox: ${sandboxText(sandbox)}`] : []),
    ...(refusal === undefined ? [] : [refusal]),
  ];
}

function colourOf(session: CliSession): Colour {
  if (isRunning(session)) {
    return 'green';
  }
  return session.info.exit?.exitCode === 0 ? 'dim' : 'red';
}
