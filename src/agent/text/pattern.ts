import { Pattern } from '../../terminal/pattern.js';
import type { Cursor } from './cursor.js';
import { nextTurn } from './steps.js';

/** Lines whose beginning alone was compared with a pattern, because they are long. */
export interface CutLines {
  readonly first: Cursor;
  /** The length of that beginning, in UTF-16 units. */
  readonly reach: number;
}

/**
 * Compiles one pattern in each turn of the event loop, for all calls together. Calls that come at the same time would
 * otherwise make every other caller wait for all of them.
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
