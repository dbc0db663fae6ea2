import type { SessionSnapshot, SessionState } from '../list/index.js';
import { lookOf } from '../words/index.js';

/** The facts of a session on which its place in the tree depends. */
export type Stage = 'running' | 'exited' | 'closed' | 'succeeded';

export const STAGES: readonly Stage[] = ['running', 'exited', 'closed', 'succeeded'];

/** Where a session stands in the tree. */
export interface SessionPlace {
  readonly stage: Stage;
  /** A larger number means that it came later. */
  readonly rank: number;
  /** Whether it has ended and still stands at its running place. */
  readonly held: boolean;
}

/**
 * The time for which a row keeps its place after the end of its session, in milliseconds. Somebody may be about to
 * click.
 */
export const HOLD_MS = 1_000;

/**
 * The places of sessions. An ended session keeps its place for a second. Otherwise a second click at the same spot
 * would hit the row that moved up.
 */
export class PlaceBook {
  readonly #entries = new Map<string, Entry>();
  /** Sessions whose next repeat takes their place. */
  readonly #replaced = new Set<string>();
  #ranks = 0;

  /** The next session that repeats this one takes its place, not the first one. */
  expectRepeat(id: string): void {
    this.#replaced.add(id);
  }

  /** The expected repeat of this session does not come. */
  forgetRepeat(id: string): void {
    this.#replaced.delete(id);
  }

  /**
   * Takes a look at all sessions, oldest first.
   *
   * @param now The time in milliseconds, from any beginning.
   * @returns a live map of places by session id, and the time at which the next place changes by itself.
   */
  look(
    sessions: readonly SessionSnapshot[],
    now: number,
  ): { readonly places: ReadonlyMap<string, SessionPlace>; readonly changeAt: number | undefined } {
    const entries = this.#entries;
    let changeAt: number | undefined;
    for (const session of sessions) {
      const before = entries.get(session.id);
      const entry = this.#entryOf(session, before, now);
      if (entry !== before) {
        entries.set(session.id, entry);
      }
      if (entry.until !== undefined) {
        changeAt = Math.min(entry.until, changeAt ?? entry.until);
      }
    }
    if (entries.size > sessions.length) {
      this.#forgetOthers(sessions);
    }
    return { places: entries, changeAt };
  }

  #forgetOthers(sessions: readonly SessionSnapshot[]): void {
    const ids = new Set(sessions.map(({ id }) => id));
    for (const id of [...this.#entries.keys()].filter((one) => !ids.has(one))) {
      this.#entries.delete(id);
    }
  }

  #entryOf(session: SessionSnapshot, before: Entry | undefined, now: number): Entry {
    const stage = stageOf(session);
    if (before === undefined) {
      return { stage, rank: this.#rankOf(session), held: false, until: undefined };
    }
    if (before.stage === stage && !before.held) {
      return before;
    }
    const { rank } = before;
    const until = before.until ?? (before.stage === 'running' && stage !== 'running' ? now + HOLD_MS : now);
    return now >= until
      ? { stage, rank, held: false, until: undefined }
      : { stage: before.stage, rank, held: true, until };
  }

  #rankOf({ previousId }: SessionSnapshot): number {
    this.#ranks += 1;
    const taken = previousId !== undefined && this.#replaced.delete(previousId);
    return (taken ? this.#entries.get(previousId)?.rank : undefined) ?? this.#ranks;
  }
}

interface Entry extends SessionPlace {
  /** The time at which a held row moves to the stage of its session. */
  readonly until: number | undefined;
}

export function stageOf(session: SessionSnapshot): Stage {
  const stage = STAGE_OF[session.state];
  return stage === 'closed' &&
    session.state === 'closed' &&
    lookOf(session) === 'succeeded' &&
    session.survivors === undefined
    ? 'succeeded'
    : stage;
}

const STAGE_OF: Readonly<Record<SessionState, Stage>> = {
  starting: 'running',
  running: 'running',
  exited: 'exited',
  closed: 'closed',
  lost: 'closed',
};
