import type { Clock, Disposable } from '../core/index.js';

/** One timer that can be set anew, which cancels the previous setting. */
export class Alarm implements Disposable {
  readonly #clock: Clock;
  #timer: Disposable | undefined;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** `run` must not reject. */
  set(delayMs: number, run: () => unknown): void {
    this.#timer?.dispose();
    this.#timer = this.#clock.after(delayMs, run);
  }

  dispose(): void {
    this.#timer?.dispose();
  }
}
