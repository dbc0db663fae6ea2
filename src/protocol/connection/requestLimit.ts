import { setMaxListeners } from 'node:events';

import { type Clock, type Disposable, onAbort } from '../../core/index.js';
import { RequestTimeoutError } from '../messages/errors.js';
import type { RequestName } from '../messages/methods/index.js';
import type { RequestOptions } from './wireConnection.js';

/** The limits of a wait for an answer: a time, and a signal that gives up. */
export class RequestLimit implements Disposable {
  /** Rejects when the time is over, with a RequestTimeoutError, or when the signal is aborted, with its reason. */
  readonly over: Promise<never>;
  readonly #timer: Disposable | undefined;
  readonly #aborted: Disposable;

  constructor(clock: Clock, method: RequestName, { timeoutMs, signal }: RequestOptions) {
    let giveUp: (reason: unknown) => void = () => undefined;
    this.over = new Promise((_, reject) => (giveUp = reject));
    if (timeoutMs !== undefined) {
      this.#timer = clock.after(timeoutMs, () => giveUp(new RequestTimeoutError(method, timeoutMs)));
    }
    if (signal !== undefined) {
      // One signal may serve any number of requests; Node would warn at the eleventh listener.
      setMaxListeners(0, signal);
    }
    this.#aborted = onAbort(signal, () => giveUp(signal?.reason));
  }

  dispose(): void {
    this.#timer?.dispose();
    this.#aborted.dispose();
  }
}
