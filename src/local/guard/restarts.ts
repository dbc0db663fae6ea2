import type { Clock } from '../../core/index.js';

const MOST_RESTARTS = 3;
const WITHIN_MS = 10_000;

/**
 * Keeps a program that cannot run at all from being started for ever. One that has been killed now and then in the
 * months that a server runs is no such program, so only restarts that come soon after each other count.
 */
export class Restarts {
  readonly #clock: Clock;
  #times: readonly number[] = [];
  #isHopeless = false;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** Whether it has ended again and again, and is not to be started any more. */
  get isHopeless(): boolean {
    return this.#isHopeless;
  }

  /** Counts that it has to be started again. Returns whether it may. */
  next(): boolean {
    const now = this.#clock.now();
    this.#times = this.#times.filter((time) => now - time < WITHIN_MS);
    this.#isHopeless ||= this.#times.length === MOST_RESTARTS;
    this.#times = [...this.#times, now];
    return !this.#isHopeless;
  }
}
