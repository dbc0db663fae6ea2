import { Alarm, type Clock, type Disposable } from '../core/index.js';
import { PROGRESS_MS } from './limits.js';

const SECOND_MS = 1_000;

/**
 * One notification: the seconds since the call began, which always grow, and the newest message of the call if it has
 * one.
 */
export interface Progress {
  readonly progress: number;
  readonly message?: string;
}

/** Reports soon, and then at intervals, that a call is still running, until it is disposed. */
export class ProgressTicker implements Disposable {
  readonly #clock: Clock;
  readonly #send: (progress: Progress) => void;
  readonly #startedAt: number;
  readonly #alarm: Alarm;
  #lastSeconds = 0;
  #message: string | undefined;

  constructor(clock: Clock, send: (progress: Progress) => void) {
    this.#clock = clock;
    this.#send = send;
    this.#startedAt = clock.now();
    this.#alarm = new Alarm(clock);
    this.#next(PROGRESS_MS.first);
  }

  /** Sets the message of the next notification, so that a call with many messages does not flood its client. */
  say(message: string): void {
    this.#message = message;
  }

  dispose(): void {
    this.#alarm.dispose();
  }

  #next(afterMs: number): void {
    this.#alarm.set(afterMs, () => {
      this.#next(PROGRESS_MS.next);
      // The clock of the machine may be set back, but this number must not decrease.
      const seconds = Math.round((this.#clock.now() - this.#startedAt) / SECOND_MS);
      this.#lastSeconds = Math.max(seconds, this.#lastSeconds + 1);
      this.#send({
        progress: this.#lastSeconds,
        ...(this.#message !== undefined && { message: this.#message }),
      });
    });
  }
}
