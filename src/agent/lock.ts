import { CallCancelled } from './toolError.js';

/** Lets one piece of work run at a time, in the order in which they came. */
export class Lock {
  #last: Promise<void> = Promise.resolve();

  /**
   * Runs `work` when everything before it is over.
   *
   * @param signal Takes it out of the queue; once it runs, cancelling is its own business.
   * @throws CallCancelled if it was cancelled before it ran.
   */
  async run<T>(work: () => Promise<T>, signal?: AbortSignal): Promise<T> {
    const before = this.#last;
    let leave: () => void = () => undefined;
    const left = new Promise<void>((resolve) => (leave = resolve));
    // Who gives up while it waits leaves at once, but those behind it still wait for what was before it.
    this.#last = before.then(() => left);
    try {
      await cancellable(before, signal);
      return await work();
    } finally {
      leave();
    }
  }
}

/**
 * Waits for a promise, or until the call is cancelled. The promise goes on; a rejection that comes later is nobody's
 * business any more.
 *
 * @throws CallCancelled
 */
export function cancellable<T>(promise: Promise<T>, signal: AbortSignal | undefined): Promise<T> {
  return new Promise((resolve, reject) => {
    const cancel = () => reject(new CallCancelled());
    if (signal?.aborted === true) {
      cancel();
    }
    signal?.addEventListener('abort', cancel);
    promise.then(resolve, reject).finally(() => signal?.removeEventListener('abort', cancel));
  });
}
