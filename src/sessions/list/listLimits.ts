import type { Session } from './session.js';

/** Upper bounds: the number of closed and lost sessions, and the retained output of all sessions together, in bytes. */
export interface ListLimits {
  readonly endedSessions: number;
  readonly outputBytes: number;
}

export const DEFAULT_LIST_LIMITS: ListLimits = { endedSessions: 200, outputBytes: 64 * 1024 * 1024 };

/** The closed and lost sessions above the limit, oldest first. */
export function tooMany(sessions: readonly Session[], { endedSessions }: ListLimits): readonly Session[] {
  const over = sessions.filter(({ state }) => state === 'closed' || state === 'lost');
  return over.slice(0, Math.max(0, over.length - endedSessions));
}

/**
 * Evicts output until all sessions together are within their limit: ended sessions before running ones, oldest first.
 *
 * @returns the sessions that have lost output.
 */
export function evictOutput(sessions: readonly Session[], { outputBytes }: ListLimits): readonly Session[] {
  let excess = sum(sessions.map(({ retainedBytes }) => retainedBytes)) - outputBytes;
  const evicted: Session[] = [];
  for (const session of endedFirst(sessions)) {
    if (excess <= 0) {
      break;
    }
    const kept = session.retainedBytes;
    if (kept > 0) {
      session.process.evictTo(Math.max(0, kept - excess));
    }
    const freed = kept - session.retainedBytes;
    excess -= freed;
    if (freed > 0) {
      evicted.push(session);
    }
  }
  return evicted;
}

function endedFirst(sessions: readonly Session[]): readonly Session[] {
  return [...sessions.filter(({ ended }) => ended), ...sessions.filter(({ ended }) => !ended)];
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0);
}
