/** Lets only so many run at the same time; the others wait, in the order in which they came. */
export class Turns {
  readonly #limit: number;
  readonly #waiting: (() => void)[] = [];
  #running = 0;

  constructor(limit: number) {
    this.#limit = limit;
  }

  /** @throws what `work` throws. */
  async run<T>(work: () => Promise<T>): Promise<T> {
    if (this.#running < this.#limit) {
      this.#running += 1;
    } else {
      await new Promise<void>((begin) => this.#waiting.push(begin));
    }
    try {
      return await work();
    } finally {
      // The turn is handed on as it is, so that nobody comes in between.
      const next = this.#waiting.shift();
      if (next === undefined) {
        this.#running -= 1;
      } else {
        next();
      }
    }
  }
}
