import { Pattern } from './pattern.js';
import { nextTurn } from './steps.js';

/**
 * Compiles patterns, of all calls together one in a turn: a large one takes tens of milliseconds, which cannot be
 * interrupted, and calls that come at the same time would have everybody else wait for all of theirs.
 */
export class Patterns {
  /** The turn of the next one. */
  #next: Promise<void> = Promise.resolve();

  /** @throws Error whose message says what is wrong with the pattern. */
  async compile(pattern: string, ignoreCase: boolean): Promise<Pattern> {
    const mine = this.#next;
    this.#next = mine.then(nextTurn);
    await mine;
    return new Pattern(pattern, ignoreCase);
  }
}
