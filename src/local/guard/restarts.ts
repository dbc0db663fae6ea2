import type { Clock } from '../../core/index.js';

const MOST_RESTARTS = 3;
const WITHIN_MS = 10_000;

/**
 * Keeps a program that cannot run at all from being started for ever. A server runs for months, and its guard may be
 * killed now and then. Only restarts in quick succession therefore count.
 */
export class Restarts {
  readonly #clock: Clock;
  #times: readonly number[] = [];
  #isHopeless = false;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** Whether it has ended again and again, and should not be started any more. */
  get isHopeless(): boolean {
    return this.#isHopeless;
  }

  /** Counts another restart. Returns whether it may start. */
  next(): boolean {
    const now = this.#clock.now();
    this.#times = this.#times.filter((time) => now - time < WITHIN_MS);
    this.#isHopeless ||= this.#times.length === MOST_RESTARTS;
    this.#times = [...this.#times, now];
    return !this.#isHopeless;
  }
}
