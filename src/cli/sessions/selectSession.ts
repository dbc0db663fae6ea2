import { CliError, ExitCode, UnknownSession } from '../exitCodes.js';
import { shortId, statusOf } from '../output/words.js';
import { type CliSession, isRunning, nameOf, numberText } from './cliSession.js';

/** The most candidates that an error lists. */
const MOST_CANDIDATES = 10;

/** A text that can only be a number: the list shows longer beginnings of ids. */
const NUMBER = /^\d{1,7}$/;

/**
 * Finds the session that a person means, in the order of {@link meant}.
 *
 * @throws CliError with the candidates, if no session fits, or more than one does.
 */
export function selectSession(sessions: readonly CliSession[], selector: string): CliSession {
  const session = findSession(sessions, selector);
  if (session === undefined) {
    throw sessions.length === 0
      ? new UnknownSession(
          selector,
          `There is no session "${selector}": there are none at all. Start one with: exec-sessions run -- COMMAND`,
        )
      : new UnknownSession(
          selector,
          `There is no session "${selector}". These are there:`,
          candidates(sessions),
        );
  }
  return session;
}

/** Like {@link selectSession}, but undefined if no session fits. */
export function findSession(sessions: readonly CliSession[], selector: string): CliSession | undefined {
  const byTitle = sessions.filter(({ title }) => title === selector);
  // Titles are used again: if several fit, the only one that runs is meant.
  const running = byTitle.filter(isRunning);
  const titled = running.length === 1 ? running : byTitle;
  const matches = meant(selector, sessions, (session) => ({
    id: session.id,
    number: session.number,
    title: titled.includes(session) ? selector : undefined,
    shownId: shortId(session, sessions),
  }));
  if (matches.length > 1) {
    throw new CliError(
      `"${selector}" can be any of these sessions; give more of the id:`,
      ExitCode.noSession,
      candidates(matches),
    );
  }
  return matches[0];
}

interface Names {
  readonly id: string;
  readonly number: number | undefined;
  readonly title: string | undefined;
  /** The beginning of the id that lists show. */
  readonly shownId: string;
}

/**
 * Finds the sessions that a person can mean. The id is tried first, then number, title and shown id, then the beginning
 * of the id. Agents choose titles, so a title does not hide the number or id of another session. A number is never taken
 * for the beginning of an id: its session may have gone.
 */
export function meant<T>(selector: string, all: readonly T[], namesOf: (one: T) => Names): readonly T[] {
  const named = all.map((one) => ({ one, ...namesOf(one) }));
  const ways = [
    named.filter(({ id }) => id === selector),
    named.filter(({ number, title, shownId }) => [number?.toString(), title, shownId].includes(selector)),
    named.filter(({ id }) => selector !== '' && !NUMBER.test(selector) && id.startsWith(selector)),
  ];
  return (ways.find(({ length }) => length > 0) ?? []).map(({ one }) => one);
}

function candidates(sessions: readonly CliSession[]): readonly string[] {
  const shown = sessions.slice(-MOST_CANDIDATES);
  const left = sessions.length - shown.length;
  return [
    ...shown.map(
      (session) =>
        `  ${numberText(session)}  ${shortId(session, sessions)}  ${statusOf(session)}  ${nameOf(session)}`,
    ),
    ...(left > 0 ? [`  and ${left} more: exec-sessions ls --all`] : []),
  ];
}
