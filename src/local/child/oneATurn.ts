/**
 * Lets one caller through in each turn of the event loop. Forks go through it: each blocks everything for a millisecond
 * or two, and many starts at once would block the loop.
 */
export class OneATurn {
  readonly #waiting: (() => void)[] = [];
  #taken = false;

  /** Resolves at once if this turn is still free, and otherwise in a later turn, in the order of the calls. */
  async pass(): Promise<void> {
    if (this.#taken) {
      await new Promise<void>((resolve) => this.#waiting.push(resolve));
    } else {
      this.#take();
    }
  }

  #take(): void {
    this.#taken = true;
    setImmediate(() => {
      const next = this.#waiting.shift();
      if (next === undefined) {
        this.#taken = false;
      } else {
        next();
        this.#take();
      }
    });
  }
}
