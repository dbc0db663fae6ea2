import { onAbort } from './abort.js';

/**
 * Lets any number of callers wait for a change of something that they look at themselves. Each looks again after the
 * wait, since what it waits for may not be so, or not be so any more.
 */
export class ConditionVariable {
  readonly #waiting = new Set<() => void>();

  /** Resolves after the next change, and when the signal is aborted. */
  wait(signal: AbortSignal): Promise<void> {
    return new Promise((resolve) => {
      if (signal.aborted) {
        resolve();
        return;
      }
      const done = () => {
        this.#waiting.delete(done);
        aborted.dispose();
        resolve();
      };
      const aborted = onAbort(signal, done);
      this.#waiting.add(done);
    });
  }

  /** Wakes all who wait, in the order in which they came. */
  notifyAll(): void {
    for (const done of [...this.#waiting]) {
      done();
    }
  }
}
