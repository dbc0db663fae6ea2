import { type Disposable, systemClock } from '../../../core/index.js';
import type { ConnectionContext } from '../methodHandlers.js';

/** How long a request may go on: until its time is over or its connection has ended, its body included. */
export class RequestTime implements Disposable {
  readonly #abort = new AbortController();
  readonly signal = this.#abort.signal;
  readonly #ends: readonly Disposable[];

  /** @param limitMs None by default. */
  constructor(context: ConnectionContext, limitMs?: number) {
    const end = context.onEnd(() => this.#abort.abort(new Error('the connection has ended')));
    const timer =
      limitMs === undefined
        ? []
        : [systemClock.after(limitMs, () => this.#abort.abort(new Error(`timed out after ${limitMs} ms`)))];
    this.#ends = [end, ...timer];
  }

  dispose(): void {
    this.#ends.forEach((end) => end.dispose());
  }
}
