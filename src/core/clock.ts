import { onAbort } from './abort.js';
import type { Disposable } from './events.js';

/** A source of time. Tests replace it by one that stands still. All times are milliseconds. */
export interface Clock {
  /** The time since an arbitrary moment, for durations. It goes on evenly even if the clock of the machine is set. */
  now(): number;
  /** The time since 1970, for people and other machines. It jumps when the clock is set. */
  wallTime(): number;
  /** Calls `run` once, not before `delayMs` have passed. Disposing the result earlier cancels it. */
  after(delayMs: number, run: () => void): Disposable;
}

/** The longest delay of a timer, in milliseconds; a longer one would run out at once. */
const LONGEST_DELAY_MS = 2 ** 31 - 1;

export const systemClock: Clock = {
  now: () => performance.now(),
  wallTime: () => Date.now(),
  after: (delayMs, run) => {
    const timer = setTimeout(run, Math.min(delayMs, LONGEST_DELAY_MS));
    return { dispose: () => clearTimeout(timer) };
  },
};

/** Resolves after `delayMs`, or as soon as `signal` is aborted. */
export function delay(clock: Clock, delayMs: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal?.aborted === true) {
      resolve();
      return;
    }
    const done = () => {
      timer.dispose();
      aborted.dispose();
      resolve();
    };
    const timer = clock.after(delayMs, done);
    const aborted = onAbort(signal, done);
  });
}

/** One timer that can be set anew, which cancels the previous setting. */
export class Alarm implements Disposable {
  readonly #clock: Clock;
  #timer: Disposable | undefined;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** @param run Must not reject. It may set the alarm again. */
  set(delayMs: number, run: () => unknown): void {
    this.#timer?.dispose();
    this.#timer = this.#clock.after(delayMs, () => {
      this.#timer = undefined;
      run();
    });
  }

  /** Sets the timer unless it is already set; the call that set it also covers this one. */
  setUnlessSet(delayMs: number, run: () => unknown): void {
    if (this.#timer === undefined) {
      this.set(delayMs, run);
    }
  }

  /** Cancels the timer. It can be set again. */
  dispose(): void {
    this.#timer?.dispose();
    this.#timer = undefined;
  }
}
