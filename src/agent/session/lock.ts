import { deferred, untilAborted } from '../../core/index.js';
import { CallCancelled } from '../toolError.js';

/** Runs one piece of work at a time, in the order of the calls. */
export class Lock {
  #last: Promise<void> = Promise.resolve();

  /**
   * Runs `work` when all earlier work is over.
   *
   * @param signal Takes the work out of the queue. Once it runs, it has to handle the cancellation itself.
   * @throws CallCancelled if it was cancelled before it ran.
   */
  async run<T>(work: () => Promise<T>, signal?: AbortSignal): Promise<T> {
    const before = this.#last;
    const left = deferred();
    // Cancelled work leaves the queue at once, but later work still waits for all earlier work.
    this.#last = before.then(() => left.promise);
    try {
      await cancellable(before, signal);
      return await work();
    } finally {
      left.resolve();
    }
  }
}

/**
 * Waits for a promise, or until the call is cancelled. The work of the promise continues then; its later rejection is
 * ignored.
 *
 * @throws CallCancelled
 */
export function cancellable<T>(promise: Promise<T>, signal: AbortSignal | undefined): Promise<T> {
  return untilAborted(promise, signal, () => new CallCancelled());
}
