import { type ExitStatus, oneLine } from '../../core/index.js';
import type { CliSession } from '../sessions/cliSession.js';

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
