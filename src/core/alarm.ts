import type { Clock } from './clock.js';
import type { Disposable } from './events.js';

/** One timer that can be set anew, which cancels the previous setting. */
export class Alarm implements Disposable {
  readonly #clock: Clock;
  #timer: Disposable | undefined;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** Whether the timer is set and has not run out. */
  get isSet(): boolean {
    return this.#timer !== undefined;
  }

  /** @param run Must not reject. It may set the alarm again. */
  set(delayMs: number, run: () => unknown): void {
    this.#timer?.dispose();
    this.#timer = this.#clock.after(delayMs, () => {
      this.#timer = undefined;
      run();
    });
  }

  /** Cancels the timer. It can be set again. */
  dispose(): void {
    this.#timer?.dispose();
    this.#timer = undefined;
  }
}
