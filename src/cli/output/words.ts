import type { ExitStatus } from '../../core/index.js';
import type { CliSession } from '../sessions/cliSession.js';

const SECOND_MS = 1_000;
const MINUTE_MS = 60 * SECOND_MS;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;

/** The fewest characters of an id that are shown. */
const ID_LENGTH = 8;

/** The beginning of an id that no other session shares, of at least eight characters. */
export function shortId({ id }: CliSession, sessions: readonly CliSession[]): string {
  const others = sessions.filter((other) => other.id !== id);
  let length = ID_LENGTH;
  while (length < id.length && others.some((other) => other.id.startsWith(id.slice(0, length)))) {
    length += 1;
  }
  return oneLine(id.slice(0, length));
}

/** A text without control characters, which would move the cursor, change colours or break the table. */
export function oneLine(text: string): string {
  return text.replace(/[\p{Cc}\u2028\u2029]+/gu, ' ').trim();
}

/** How a session stands, in one or two words. */
export function statusOf({ info: { state, exit } }: CliSession): string {
  switch (state) {
    case 'starting':
    case 'running':
      return 'running';
    case 'exited':
      return `${exitText(exit)}, open`;
    case 'closed':
      return exitText(exit);
    case 'failed':
      return 'lost';
  }
}

export function exitText(exit: ExitStatus | undefined): string {
  return exit === undefined ? 'ended' : (exit.signal ?? `exit ${exit.exitCode}`);
}

/** A time span in its largest unit, as `docker ps` and others have it. */
export function spanText(ms: number): string {
  if (ms < MINUTE_MS) {
    return `${Math.max(0, Math.floor(ms / SECOND_MS))} s`;
  }
  if (ms < HOUR_MS) {
    return `${Math.floor(ms / MINUTE_MS)} min`;
  }
  return ms < DAY_MS ? `${Math.floor(ms / HOUR_MS)} h` : `${Math.floor(ms / DAY_MS)} d`;
}
