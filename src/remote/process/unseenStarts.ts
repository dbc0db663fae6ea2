import { REQUEST_MS } from '../limits.js';
import type { Calls } from '../session/resumableConnection.js';
import type { NamedProcess } from '../session/wireFailures.js';

/** Ends processes that may have been started although no answer said so. */
export class UnseenStarts {
  readonly #calls: Calls;
  readonly #underWay = new Set<Promise<unknown>>();

  constructor(calls: Calls) {
    this.#calls = calls;
  }

  /** Terminates a process, as soon as there is a connection. */
  end({ wireId: processId }: NamedProcess): void {
    const ended = this.#calls
      .call('process/terminate', { processId }, { timeoutMs: REQUEST_MS, repeat: true })
      .catch(() => undefined)
      .finally(() => this.#underWay.delete(ended));
    this.#underWay.add(ended);
  }

  /** Resolves once each has ended, or can no longer be reached. */
  async ended(): Promise<void> {
    while (this.#underWay.size > 0) {
      await Promise.all(this.#underWay);
    }
  }
}
