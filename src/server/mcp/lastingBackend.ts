import type { ExecBackend } from '../../core/index.js';

/** The way to a backend that can be lost and is connected anew after that. */
export class LastingBackend<B extends ExecBackend> {
  readonly #connect: () => Promise<B>;
  readonly #over: AbortSignal;
  #last: Promise<B> | undefined;

  /** @param over Aborted when there is to be no further attempt. */
  constructor(connect: () => Promise<B>, over: AbortSignal) {
    this.#connect = connect;
    this.#over = over;
  }

  /**
   * A backend that is connected or reconnecting. If the last one has been lost for good, it is a new one. One attempt
   * at a time serves all callers.
   *
   * @throws what connecting throws.
   */
  async backend(): Promise<B> {
    this.#last ??= this.#connect();
    const mine = this.#last;
    let found: B | undefined;
    try {
      found = await mine;
    } finally {
      if (this.#last === mine && (found === undefined || found.connection.kind === 'lost')) {
        this.#last = undefined;
      }
    }
    return found.connection.kind === 'lost' && !this.#over.aborted ? this.backend() : found;
  }

  /**
   * The last backend. Never rejects.
   *
   * @param look Finds one if no backend is known, without making any; may reject.
   */
  async last(look: () => Promise<B | undefined> = () => Promise.resolve(undefined)): Promise<B | undefined> {
    const last = await this.#last?.catch(() => undefined);
    if (last !== undefined && last.connection.kind !== 'lost') {
      return last;
    }
    const found = await look().catch(() => undefined);
    if (found !== undefined) {
      this.#last = Promise.resolve(found);
    }
    return found ?? last;
  }
}
