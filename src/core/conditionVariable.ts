import { onAbort } from './abort.js';

/**
 * Lets any number of callers wait for a change, for example of a field. Each caller checks its condition again after
 * the wait: the change may have been another one, or another caller may have undone it.
 */
export class ConditionVariable {
  readonly #waiting = new Set<() => void>();

  /** Resolves after the next change, or when the signal is aborted. */
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

  /** Wakes all waiting callers, in the order in which they came. */
  notifyAll(): void {
    for (const done of [...this.#waiting]) {
      done();
    }
  }
}
