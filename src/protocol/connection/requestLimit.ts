import { setMaxListeners } from 'node:events';

import { type Clock, type Disposable, onAbort } from '../../core/index.js';
import { RequestTimeoutError } from '../messages/errors.js';
import type { RequestName } from '../messages/methods.js';
import type { RequestOptions } from './wireConnection.js';

/** The time that a request has, and the signal that may give it up. */
export class RequestLimit implements Disposable {
  /** Rejects when it is over. */
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
      // One signal may be for any number of requests; Node warns of eleven.
      setMaxListeners(0, signal);
    }
    this.#aborted = onAbort(signal, () => giveUp(signal?.reason));
  }

  dispose(): void {
    this.#timer?.dispose();
    this.#aborted.dispose();
  }
}
