import { Alarm, type Clock, type Disposable, type ProcessUsage } from '../../core/index.js';
import type { Session } from '../list/index.js';

/** One look at what a session uses. */
type UsageReading =
  | {
      readonly usage: ProcessUsage;
      /** The part of one processor that it took since the previous look; absent at the first look. */
      readonly cpuPercent?: number;
    }
  /** The reason why it is not known. */
  | { readonly error: unknown };

interface Watched {
  readonly alarm: Alarm;
  reading: UsageReading | undefined;
  /** The last reading, and its time. */
  before: { readonly cpuSeconds: number; readonly at: number } | undefined;
  asking: boolean;
}

/**
 * The time between two looks, in milliseconds. The first two are closer together, since one alone gives no percentage.
 */
const LOOK_MS = 2_000;
const SECOND_LOOK_MS = 500;
/**
 * Systems count processor time in hundredths of a second: over less, in milliseconds, a percentage would be a guess.
 */
const SHORTEST_SPAN_MS = 500;
/** The longest time for a percentage, in milliseconds. Over a longer time it would be out of date. */
const LONGEST_SPAN_MS = 5 * LOOK_MS;

/** Whether the use of a session can be read. */
export function hasUsage(session: Session): boolean {
  return session.state === 'running' && session.environment.backend.capabilities.usage;
}

/**
 * Reads the use of some sessions again and again, as long as it can be seen. All are read at the same moments, since
 * these share one list of all processes of a machine.
 */
export class UsageWatch implements Disposable {
  readonly #clock: Clock;
  readonly #changed: (session: Session) => void;
  readonly #watched = new Map<Session, Watched>();
  #visible = false;
  /** One of the moments at which all sessions are looked at, {@link LOOK_MS} apart. */
  #beat: number | undefined;

  /** @param changed Called after each look. */
  constructor(clock: Clock, changed: (session: Session) => void) {
    this.#clock = clock;
    this.#changed = changed;
  }

  /** The last look at a session; undefined before the first one, and for one that is not watched. */
  reading(session: Session): UsageReading | undefined {
    return this.#watched.get(session)?.reading;
  }

  watch(session: Session): void {
    if (!this.#watched.has(session) && hasUsage(session)) {
      this.#watched.set(session, {
        alarm: new Alarm(this.#clock),
        reading: undefined,
        before: undefined,
        asking: false,
      });
      this.#lookSoon(session, 0);
    }
  }

  forget(session: Session): void {
    this.#watched.get(session)?.alarm.dispose();
    this.#watched.delete(session);
  }

  /** Nothing is read while it is not visible. When it becomes visible, a look begins at once. */
  setVisible(visible: boolean): void {
    if (this.#visible !== visible) {
      this.#visible = visible;
      for (const [session, { alarm }] of this.#watched) {
        alarm.dispose();
        this.#lookSoon(session, 0);
      }
    }
  }

  dispose(): void {
    for (const session of [...this.#watched.keys()]) {
      this.forget(session);
    }
  }

  #lookSoon(session: Session, delayMs: number): void {
    const watched = this.#watched.get(session);
    if (this.#visible && watched?.asking === false) {
      watched.alarm.set(delayMs, () => void this.#look(session, watched));
    }
  }

  async #look(session: Session, watched: Watched): Promise<void> {
    if (!hasUsage(session)) {
      this.forget(session);
      return;
    }
    watched.asking = true;
    const answer = await session.usage().catch((error: unknown) => ({ error }));
    watched.asking = false;
    if (this.#watched.get(session) !== watched || answer === undefined) {
      return; // It has exited, or nobody wants to know any more.
    }
    const first = this.#take(watched, answer);
    this.#lookSoon(session, first ? SECOND_LOOK_MS : this.#untilNextLook());
    this.#changed(session);
  }

  /** The time to the next of the moments that all sessions have in common. */
  #untilNextLook(): number {
    const now = this.#clock.now();
    this.#beat ??= now;
    return LOOK_MS - ((now - this.#beat + SHORTEST_SPAN_MS) % LOOK_MS) + SHORTEST_SPAN_MS;
  }

  /** @returns whether there was nothing to compare it with. */
  #take(watched: Watched, answer: ProcessUsage | { readonly error: unknown }): boolean {
    if ('error' in answer) {
      watched.reading = answer;
      watched.before = undefined;
      return false;
    }
    const at = this.#clock.now();
    const span = watched.before === undefined ? Infinity : at - watched.before.at;
    const usable = span > 0 && span <= LONGEST_SPAN_MS;
    const took = answer.cpuSeconds - (watched.before?.cpuSeconds ?? 0);
    watched.before = { cpuSeconds: answer.cpuSeconds, at };
    watched.reading = {
      usage: answer,
      // The difference is negative if a process has ended that no parent in the session waited for: its time is gone.
      ...(usable && { cpuPercent: (Math.max(0, took) * 1000 * 100) / span }),
    };
    return !usable;
  }
}
