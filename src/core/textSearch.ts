import { aroundMatches } from './aroundMatches.js';
import { oneLine } from './oneLine.js';

/** A line that a search has found. */
export interface FoundLine {
  /** The place of the line in its text; the first one has 0. */
  readonly number: number;
  readonly line: string;
  /** The place of the first match in the line, in UTF-16 units. */
  readonly column: number;
}

/** Searches lines for a text, taken literally. The work is proportional to what is searched. */
export class TextSearch {
  readonly #wanted: RegExp;

  constructor(text: string, ignoreCase: boolean) {
    this.#wanted = new RegExp(text.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&'), ignoreCase ? 'giu' : 'g');
  }

  /** The first match that begins at a place or after it. */
  find(line: string, from = 0): { readonly start: number; readonly end: number } | undefined {
    this.#wanted.lastIndex = from;
    const match = this.#wanted.exec(line);
    return match === null ? undefined : { start: match.index, end: this.#wanted.lastIndex };
  }

  /** The line as people see it: without hidden characters, and a long one around its matches. */
  shown(line: string, length: number): string {
    return oneLine(aroundMatches(line, (from) => this.find(line, from), length));
  }
}

/** Finds the lines of one text, whose parts come one after the other. */
export class LineFinder {
  readonly #search: TextSearch;
  /** The parts of the line that has not ended yet. */
  #open: string[] = [];
  #number = 0;

  constructor(search: TextSearch) {
    this.#search = search;
  }

  /** The lines that end in this part. */
  take(part: string): readonly FoundLine[] {
    const [first = '', ...more] = part.split('\n');
    this.#open.push(first);
    const found: FoundLine[] = [];
    for (const next of more) {
      found.push(...this.end());
      this.#open = [next];
    }
    return found;
  }

  /** The line that has not ended with a line break. */
  end(): readonly FoundLine[] {
    const line = this.#open.join('');
    const number = this.#number;
    this.#open = [];
    this.#number += 1;
    const match = this.#search.find(line);
    return match === undefined ? [] : [{ number, line, column: match.start }];
  }
}
