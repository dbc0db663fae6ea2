import { type Clock, type Disposable, DisposableStore, identityKey } from '../../core/index.js';
import type { Session } from './session.js';
import type { SessionEvents } from './sessionEvents.js';

/**
 * The least time from an end to the look for leftover processes, in milliseconds. Processes that end with the session
 * need a moment.
 */
const SETTLE_MS = 1_000;
/**
 * The time between two looks, in milliseconds. Each look goes through all processes of a machine, and hundreds of
 * sessions may end within a second. Sessions that end between two looks share one.
 */
const PERIOD_MS = 1_000;

/**
 * The time until the next look while processes are left, in milliseconds. They may end at any time, and no event says
 * so.
 */
const RENEWAL_MS = 30_000;

/**
 * Looks for leftover processes some time after a session has exited, again when it has closed, and for as long as there
 * are some.
 */
export class SurvivorWatch implements Disposable {
  readonly #store = new DisposableStore();
  readonly #timers = new Map<Session, Disposable>();
  /** The processes that were found at the last look, by identity. */
  readonly #found = new WeakMap<Session, readonly string[]>();
  readonly #clock: Clock;
  readonly #onFound: (session: Session) => void;

  /** @param onFound Called with a session when a new leftover process is found. */
  constructor(events: SessionEvents, clock: Clock, onFound: (session: Session) => void) {
    this.#clock = clock;
    this.#onFound = onFound;
    this.#store.add(events.onDidExit((session) => this.#lookLater(session)));
    this.#store.add(events.onDidEnd((session) => this.#lookLater(session)));
    this.#store.add(events.onDidRemove((session) => this.#forget(session)));
  }

  dispose(): void {
    this.#store.dispose();
    [...this.#timers.keys()].forEach((session) => this.#forget(session));
  }

  #lookLater(session: Session): void {
    this.#lookIn(session, SETTLE_MS);
  }

  #lookIn(session: Session, waitMs: number): void {
    this.#forget(session);
    if (session.state !== 'lost' && session.environment.backend.capabilities.survivors) {
      const delayMs = waitMs + PERIOD_MS - (this.#clock.now() % PERIOD_MS);
      this.#timers.set(
        session,
        this.#clock.after(delayMs, () => void this.#look(session)),
      );
    }
  }

  #forget(session: Session): void {
    this.#timers.get(session)?.dispose();
    this.#timers.delete(session);
  }

  async #look(session: Session): Promise<void> {
    this.#timers.delete(session);
    try {
      const found = (await session.lookForSurvivors()).map(identityKey);
      const known = this.#found.get(session) ?? [];
      this.#found.set(session, found);
      if (found.some((key) => !known.includes(key))) {
        this.#onFound(session);
      }
      if (found.length > 0 && !this.#timers.has(session)) {
        this.#lookIn(session, RENEWAL_MS);
      }
    } catch {
      // Its machine cannot be reached or has forgotten it, so its leftover processes are not known.
    }
  }
}
