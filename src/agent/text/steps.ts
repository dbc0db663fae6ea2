/** Work in steps of a few milliseconds at most, between which others may have their turn. */
export type Steps = Generator<undefined, void>;

/** How long work goes on before others have their turn, in milliseconds. */
const TURN_MS = 8;

/** Does everything at once. */
export function runAll(steps: Steps): void {
  while (steps.next().done !== true);
}

/** Resolves in a later turn of the event loop. */
export function nextTurn(): Promise<void> {
  return new Promise((resolve) => {
    setTimeout(resolve, 0);
  });
}

/** Does work so that nobody else in this program waits long, whatever the work is: some output takes seconds. */
export class Turns {
  /** When the turn is over. */
  #until = 0;

  /**
   * @param isOver Whether the rest is not wanted any more.
   * @returns Whether all of it has been done.
   */
  async run(steps: Steps, isOver: () => boolean = () => false): Promise<boolean> {
    while (!isOver()) {
      if (steps.next().done === true) {
        return true;
      }
      if (performance.now() >= this.#until) {
        await this.pause();
      }
    }
    return false;
  }

  async pause(): Promise<void> {
    await nextTurn();
    this.#until = performance.now() + TURN_MS;
  }
}
