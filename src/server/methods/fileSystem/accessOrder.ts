/**
 * Keeps what one client does with files in its order where that matters: changes come one after the other, and between
 * them whatever only looks goes side by side. A client need not wait for the answer before it goes on.
 */
export class AccessOrder {
  #lastChange: Promise<unknown> = Promise.resolve();
  /** Since that change. */
  #looks: Promise<unknown> = Promise.resolve();

  look<T>(run: () => Promise<T>): Promise<T> {
    const looked = this.#lastChange.then(run);
    this.#looks = settled([this.#looks, looked]);
    return looked;
  }

  change<T>(run: () => Promise<T>): Promise<T> {
    const changed = settled([this.#lastChange, this.#looks]).then(run);
    this.#lastChange = settled([changed]);
    this.#looks = Promise.resolve();
    return changed;
  }
}

async function settled(promises: readonly Promise<unknown>[]): Promise<void> {
  await Promise.allSettled(promises);
}
