import { Queue } from './queue.js';

/**
 * Lets only so much run at the same time; the others wait, in the order in which they came. Work has a weight: with 1 for
 * each, the limit is how many run. Work that is heavier than the limit runs alone.
 */
export class Semaphore {
  readonly #limit: number;
  readonly #waiting = new Queue<{ readonly weight: number; readonly begin: () => void }>();
  #taken = 0;

  constructor(limit: number) {
    this.#limit = limit;
  }

  /** @throws what `work` throws. */
  async run<T>(work: () => Promise<T>): Promise<T> {
    await this.acquire();
    try {
      return await work();
    } finally {
      this.release();
    }
  }

  /** Resolves when there is room; {@link release} gives it back, with the same weight. */
  async acquire(weight = 1): Promise<void> {
    if (this.#waiting.size === 0 && this.#hasRoom(weight)) {
      this.#taken += weight;
      return;
    }
    await new Promise<void>((begin) => this.#waiting.push({ weight, begin }));
  }

  /** Room is handed on to those who wait, so that nobody who comes later is before them. */
  release(weight = 1): void {
    this.#taken -= weight;
    for (
      let next = this.#waiting.first;
      next !== undefined && this.#hasRoom(next.weight);
      next = this.#waiting.first
    ) {
      this.#waiting.shift();
      this.#taken += next.weight;
      next.begin();
    }
  }

  #hasRoom(weight: number): boolean {
    return this.#taken === 0 || this.#taken + weight <= this.#limit;
  }
}
