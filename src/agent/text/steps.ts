/** Work in steps of a few milliseconds at most, between which others may have their turn. */
export type Steps = Generator<undefined, void>;

/** How long work continues before others have their turn, in milliseconds. */
const TURN_MS = 8;

/** Does all steps at once. */
export function runAll(steps: Steps): void {
  while (steps.next().done !== true);
}

/** Resolves in a later turn of the event loop. */
export function nextTurn(): Promise<void> {
  return new Promise((resolve) => {
    setTimeout(resolve, 0);
  });
}

/** Does work in turns, so that nothing else in this program waits long: some output takes seconds. */
export class Turns {
  /** The end of the current turn, as `performance.now()` counts. */
  #until = 0;

  /**
   * @param isOver Whether the remaining steps are not wanted any more.
   * @returns Whether all steps have been done.
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
