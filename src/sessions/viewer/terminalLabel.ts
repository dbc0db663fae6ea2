import { oneLine, shorten } from '../../core/index.js';
import type { SessionSnapshot } from '../list/index.js';
import { lookOf } from '../words/index.js';

/** The most characters of a session's name in a terminal. */
export const NAME_LENGTH = 80;

/**
 * The name of a terminal: a mark of the end, then the user's title, else the program's, else the command line.
 *
 * @param programTitle The title that the program has given its window; empty for none.
 */
export function terminalLabel(snapshot: SessionSnapshot, programTitle: string): string {
  const label = oneLine(snapshot.title ?? (programTitle === '' ? snapshot.commandLine : programTitle));
  return endMark(snapshot) + shorten(label === '' ? snapshot.commandLine : label, NAME_LENGTH);
}

/** A session that a person stopped is not a failure, with any exit code. */
function endMark(session: SessionSnapshot): string {
  if (session.state === 'starting' || session.state === 'running') {
    return '';
  }
  const look = lookOf(session);
  return look === 'succeeded' ? '✓ ' : look === 'stopped' ? '■ ' : '✗ ';
}
