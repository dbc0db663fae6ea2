/**
 * Keeps the file operations of one client in order where that matters. Changes run one after the other; between two
 * changes, operations that only look run side by side. So a client need not wait for an answer before its next request.
 */
export class AccessOrder {
  #lastChange: Promise<unknown> = Promise.resolve();
  /** All looks since that change. */
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
