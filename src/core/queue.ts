/** The number of free places at the front at which they are cut off. */
const CUT_AT = 64;

/**
 * First in, first out. An array's own shift() moves all other items each time, so a long queue is slow. This queue cuts
 * off the free places at the front in bulk: an item costs neither a move nor an allocation.
 */
export class Queue<T> {
  /** The first `#first` places are free. */
  #items: (T | undefined)[] = [];
  #first = 0;

  get size(): number {
    return this.#items.length - this.#first;
  }

  /** The oldest item; undefined if the queue is empty. */
  get first(): T | undefined {
    return this.#items[this.#first];
  }

  push(item: T): void {
    this.#items.push(item);
  }

  /** Removes the oldest item and returns it; undefined if the queue is empty. */
  shift(): T | undefined {
    if (this.size === 0) {
      return undefined;
    }
    const item = this.#items[this.#first];
    // Cleared so that the garbage collector can take the item.
    this.#items[this.#first] = undefined;
    this.#first += 1;
    if (this.#first >= CUT_AT && this.#first * 2 >= this.#items.length) {
      this.#items = this.#items.slice(this.#first);
      this.#first = 0;
    }
    return item;
  }

  /** Puts an item before all others: the rest of the one that was just taken. */
  putBack(item: T): void {
    if (this.#first === 0) {
      this.#items.unshift(item);
    } else {
      this.#first -= 1;
      this.#items[this.#first] = item;
    }
  }

  /** The items, oldest first. */
  *[Symbol.iterator](): IterableIterator<T> {
    yield* this.#items.slice(this.#first) as T[];
  }

  clear(): void {
    this.#items = [];
    this.#first = 0;
  }
}
