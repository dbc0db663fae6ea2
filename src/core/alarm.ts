import type { Clock } from './clock.js';
import type { Disposable } from './events.js';

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
