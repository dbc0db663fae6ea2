/**
 * Lets one caller through at a time, one in each turn of the event loop. Forks go through it: each holds everything up for
 * a millisecond or two, and many starts at once would keep the loop from its turns.
 */
export class OneATurn {
  readonly #waiting: (() => void)[] = [];
  #taken = false;

  /** Resolves at once if nobody has come through in this turn, and otherwise in the order in which they came. */
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
