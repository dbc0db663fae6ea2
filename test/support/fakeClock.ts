import type { Clock, Disposable } from '../../src/core/index.js';

/** A clock that stands still until it is moved. */
export class FakeClock implements Clock {
  #now: number;
  #aheadMs = 0;
  readonly #timers = new Set<{ readonly at: number; readonly run: () => void }>();

  constructor(now = 0) {
    this.#now = now;
  }

  get pendingTimers(): number {
    return this.#timers.size;
  }

  now(): number {
    return this.#now;
  }

  wallTime(): number {
    return this.#now + this.#aheadMs;
  }

  /** Sets the clock of the machine. */
  set(wallTime: number): void {
    this.#aheadMs = wallTime - this.#now;
  }

  after(delayMs: number, run: () => void): Disposable {
    const timer = { at: this.#now + delayMs, run };
    this.#timers.add(timer);
    return { dispose: () => void this.#timers.delete(timer) };
  }

  /** Moves on as for a program that stands still: what became due meanwhile runs at the end, and nothing in between. */
  stall(ms: number): void {
    this.#now += ms;
    for (const timer of [...this.#timers].filter(({ at }) => at <= this.#now)) {
      this.#timers.delete(timer);
      timer.run();
    }
  }

  /** Moves on, and runs the timers that become due, in the order of their times. */
  advance(ms: number): void {
    const end = this.#now + ms;
    for (;;) {
      const [next] = [...this.#timers].filter(({ at }) => at <= end).sort((one, other) => one.at - other.at);
      if (next === undefined) {
        break;
      }
      this.#timers.delete(next);
      this.#now = next.at;
      next.run();
    }
    this.#now = end;
  }
}
