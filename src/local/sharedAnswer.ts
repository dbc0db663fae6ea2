/**
 * Runs an operation once for all callers that want it at the same time. No caller gets an answer that was begun before
 * its call: calls during a run wait for the next one, together.
 */
export class SharedAnswer<T> {
  readonly #ask: () => Promise<T>;
  readonly #rest: () => Promise<unknown> | undefined;
  /** Settles, and never rejects, when the current run has ended. */
  #asking: Promise<unknown> = Promise.resolve();
  #next: Promise<T> | undefined;

  /** @param rest A pause before each run, shared by all who call meanwhile. */
  constructor(ask: () => Promise<T>, rest: () => Promise<unknown> | undefined = () => undefined) {
    this.#ask = ask;
    this.#rest = rest;
  }

  /** @throws the error of the operation. */
  get(): Promise<T> {
    return (this.#next ??= this.#askNext());
  }

  async #askNext(): Promise<T> {
    await this.#asking;
    await this.#rest();
    this.#next = undefined;
    const answer = this.#ask();
    this.#asking = answer.catch(() => undefined);
    return answer;
  }
}
