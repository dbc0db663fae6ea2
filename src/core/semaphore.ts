import { Queue } from './queue.js';

/**
 * Limits the work that runs at the same time; other work waits in the order in which it came. Work has a weight: with 1
 * for each, the limit is the number of tasks that run. Work that is heavier than the limit runs alone.
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

  /** Resolves when there is room, and takes it; {@link release} gives it back and must get the same weight. */
  async acquire(weight = 1): Promise<void> {
    if (this.#waiting.size === 0 && this.#hasRoom(weight)) {
      this.take(weight);
      return;
    }
    await new Promise<void>((begin) => this.#waiting.push({ weight, begin }));
  }

  /** Takes room at once, even if there is too little; {@link release} gives it back. */
  take(weight = 1): void {
    this.#taken += weight;
  }

  /** Gives room back. Waiting work gets it at once, so that later work cannot overtake it. */
  release(weight = 1): void {
    this.#taken -= weight;
    for (
      let next = this.#waiting.first;
      next !== undefined && this.#hasRoom(next.weight);
      next = this.#waiting.first
    ) {
      this.#waiting.shift();
      this.take(next.weight);
      next.begin();
    }
  }

  #hasRoom(weight: number): boolean {
    return this.#taken === 0 || this.#taken + weight <= this.#limit;
  }
}
