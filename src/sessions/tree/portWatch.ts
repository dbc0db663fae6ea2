import { Alarm, type Clock, type Disposable } from '../../core/index.js';
import type { Session, SessionList } from '../list/index.js';
import { hasUsage } from './usageWatch.js';

/** The time from a start, or from output, to a look at the ports, in milliseconds. A server first says that it listens. */
const SOON_MS = 1_000;
/** The least time between two looks at a session that writes all the time, in milliseconds. */
const BUSY_MS = 5_000;
/** The longest time between two looks, in milliseconds. Until then it doubles: a server may start without a word. */
const QUIET_MS = 60_000;

interface Watched {
  readonly wake: Disposable;
  asking: boolean;
  lastAt: number;
  nextAt: number;
  /** The time from the next look to the one after it. */
  pauseMs: number;
}

/**
 * Looks at the ports of running sessions while somebody can see them: after a start, after output, and once a minute.
 * Looks that are due within a second share one list of a machine's processes.
 */
export class PortWatch implements Disposable {
  readonly #clock: Clock;
  readonly #list: SessionList;
  readonly #alarm: Alarm;
  readonly #changes: Disposable;
  readonly #watched = new Map<Session, Watched>();
  #visible = false;

  constructor(clock: Clock, list: SessionList) {
    this.#clock = clock;
    this.#list = list;
    this.#alarm = new Alarm(clock);
    this.#changes = list.onDidChange(({ type, session }) => {
      if (type === 'removed' || !hasUsage(session)) {
        this.#forget(session);
      } else if (this.#visible) {
        this.#watch(session);
      }
    });
  }

  setVisible(visible: boolean): void {
    this.#visible = visible;
    this.#alarm.dispose();
    if (visible) {
      this.#list.sessions.filter(hasUsage).forEach((session) => this.#watch(session));
      this.#lookSoon();
    }
  }

  dispose(): void {
    this.#changes.dispose();
    this.#alarm.dispose();
    [...this.#watched.keys()].forEach((session) => this.#forget(session));
  }

  #watch(session: Session): void {
    if (!this.#watched.has(session)) {
      const wake = session.process.onWake(() => this.#wrote(session));
      const nextAt = this.#clock.now() + SOON_MS;
      this.#watched.set(session, { wake, asking: false, lastAt: -Infinity, nextAt, pauseMs: SOON_MS });
      this.#lookSoon();
    }
  }

  #forget(session: Session): void {
    this.#watched.get(session)?.wake.dispose();
    this.#watched.delete(session);
  }

  #wrote(session: Session): void {
    const watched = this.#watched.get(session);
    if (watched !== undefined) {
      const soon = Math.max(watched.lastAt + BUSY_MS, this.#clock.now() + SOON_MS);
      if (soon < watched.nextAt) {
        watched.nextAt = soon;
        this.#lookSoon();
      }
    }
  }

  #lookSoon(): void {
    const idle = [...this.#watched.values()].filter(({ asking }) => !asking);
    const next = idle.reduce((first, { nextAt }) => Math.min(first, nextAt), Infinity);
    if (this.#visible && next < Infinity) {
      this.#alarm.set(Math.max(0, next - this.#clock.now()), () => this.#look());
    }
  }

  #look(): void {
    const due = this.#clock.now() + SOON_MS;
    for (const [session, watched] of this.#watched) {
      if (!watched.asking && watched.nextAt < due) {
        void this.#lookAt(session, watched);
      }
    }
    this.#lookSoon();
  }

  async #lookAt(session: Session, watched: Watched): Promise<void> {
    watched.asking = true;
    watched.lastAt = this.#clock.now();
    watched.nextAt = Infinity;
    // If its machine cannot be asked now, the row keeps what it shows until the next look.
    await session.usage().catch(() => undefined);
    watched.asking = false;
    watched.nextAt = Math.min(watched.nextAt, this.#clock.now() + watched.pauseMs);
    watched.pauseMs = Math.min(2 * watched.pauseMs, QUIET_MS);
    this.#lookSoon();
  }
}
