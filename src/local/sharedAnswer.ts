/**
 * Asks for something that takes a moment, once for all who want it at the same time. Nobody gets an answer to a question
 * from before they came: who comes while it is being asked waits for the next time, with all others who do.
 */
export class SharedAnswer<T> {
  readonly #ask: () => Promise<T>;
  readonly #rest: () => Promise<unknown> | undefined;
  /** Settles, and never rejects, when the question that is under way is answered. */
  #asking: Promise<unknown> = Promise.resolve();
  #next: Promise<T> | undefined;

  /** @param rest Waited for before each question, by all who come meanwhile. */
  constructor(ask: () => Promise<T>, rest: () => Promise<unknown> | undefined = () => undefined) {
    this.#ask = ask;
    this.#rest = rest;
  }

  /** @throws what asking throws. */
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
