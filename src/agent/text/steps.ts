/** Work in steps of a few milliseconds at most. Other work may have its turn between them. */
export type Steps = Generator<undefined, void>;

/** How long work continues before other work has its turn, in milliseconds. */
const TURN_MS = 8;

/** Does all steps at once. */
export function runAll(steps: Steps): void {
  while (steps.next().done !== true);
}

/**
 * Resolves in a later round of the event loop. A timer would not do: Node runs timers that became due meanwhile in the
 * same round (lib/internal/timers.js, `processTimers`). Two workers with turns of a millisecond would keep Node from
 * all other work.
 */
export function nextTurn(): Promise<void> {
  return new Promise((resolve) => {
    setImmediate(resolve);
  });
}

/**
 * The time that all workers together may take of one round of the event loop, in milliseconds. A worker whose turn came
 * later than that makes its next turn shorter. Otherwise the next turn is at most twice as long, so that many workers
 * that begin together notice it early. An answer to another caller takes some ten rounds.
 */
const ROUND_MS = 4;
/** The shortest turn, in milliseconds. */
const LEAST_TURN_MS = 0.5;

/** Does work in turns, so that nothing else in this program waits long: some output takes seconds. */
export class Turns {
  readonly #now: () => number;
  /** The length of a turn, in milliseconds. */
  #length = LEAST_TURN_MS;
  /** The end of the current turn. */
  #until = 0;

  /** @param now Milliseconds, as `performance.now()` counts them. */
  constructor(now = () => performance.now()) {
    this.#now = now;
  }

  /**
   * @param isOver Whether the remaining steps are not wanted any more.
   * @returns Whether all steps have been done.
   */
  async run(steps: Steps, isOver: () => boolean = () => false): Promise<boolean> {
    while (!isOver()) {
      if (steps.next().done === true) {
        return true;
      }
      if (this.#now() >= this.#until) {
        await this.#pause();
      }
    }
    return false;
  }

  /** Resolves at once while the turn lasts. */
  async pauseIfOver(): Promise<void> {
    if (this.#now() >= this.#until) {
      await this.#pause();
    }
  }

  async #pause(): Promise<void> {
    const before = this.#now();
    await nextTurn();
    const now = this.#now();
    const fair = (this.#length * ROUND_MS) / (now - before);
    this.#length = Math.max(LEAST_TURN_MS, Math.min(TURN_MS, 2 * this.#length, fair));
    this.#until = now + this.#length;
  }
}
