import { CliError, ExitCode, UnknownSession } from '../exitCodes.js';
import { shortId, statusOf } from '../output/words.js';
import { type CliSession, isRunning, nameOf, numberText } from './cliSession.js';

/** The most candidates that an error lists. */
const MOST_CANDIDATES = 10;

/** A text that can only be a number: the list shows longer beginnings of ids. */
const NUMBER = /^\d{1,7}$/;

/**
 * Finds the session that a person means, by its id first. Its number, its title and its id in the list come next, and
 * the beginning of its id comes last. Agents choose titles, so a title never hides the number or id of another session: that is
 * ambiguous. The number of a session that has gone never means another one whose id begins like it.
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
  const ways: readonly (readonly CliSession[])[] = [
    sessions.filter(({ id }) => id === selector),
    sessions.filter(
      (session) =>
        (running.length === 1 ? running : byTitle).includes(session) ||
        String(session.number) === selector ||
        shortId(session, sessions) === selector,
    ),
    sessions.filter(({ id }) => selector !== '' && !NUMBER.test(selector) && id.startsWith(selector)),
  ];
  const matches = ways.find(({ length }) => length > 0) ?? [];
  if (matches.length > 1) {
    throw new CliError(
      `"${selector}" can be any of these sessions; give more of the id:`,
      ExitCode.noSession,
      candidates(matches),
    );
  }
  return matches[0];
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
