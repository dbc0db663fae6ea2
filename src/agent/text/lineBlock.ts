import type { Item } from './item.js';

const LINE_END = '\n';
const MANY_LINES = 64;

/**
 * Whole lines of one chunk that stand for themselves: plain ASCII with its line ends, each different from the one
 * before. Many lines are counted in one go. An item is made only of a line that is shown.
 */
export class LineBlock {
  readonly #text: string;
  /** The place in the chunk at which the text begins, in bytes. */
  readonly #offset: number;
  readonly seq: number;
  readonly lines: number;
  readonly #from: number;
  readonly #to: number;

  /**
   * @param seq The number of the chunk.
   * @param place Where the lines are in `text`, and how many; `offset` is the byte of the chunk at which `text` begins.
   */
  constructor(
    seq: number,
    text: string,
    place: { readonly offset: number; readonly from: number; readonly to: number; readonly lines: number },
  ) {
    this.seq = seq;
    this.#text = text;
    this.#offset = place.offset;
    this.#from = place.from;
    this.#to = place.to;
    this.lines = place.lines;
  }

  /** The length of its text in UTF-8, line ends included. */
  get bytes(): number {
    return this.#to - this.#from;
  }

  /** The lines with their line ends. */
  get text(): string {
    return this.#text.slice(this.#from, this.#to);
  }

  /** As {@link Item.start}, of the first line. */
  get start(): { readonly afterSeq: number; readonly skipBytes: number } {
    return { afterSeq: this.seq - 1, skipBytes: this.#offset + this.#from };
  }

  /** The number of lines before the first one that a regular expression matches; all of them if it matches none. */
  linesBefore(pattern: RegExp): number {
    const at = this.text.search(pattern);
    if (at < 0) {
      return this.lines;
    }
    return this.#linesIn(this.#from, this.#from + at);
  }

  /** Its first lines, and the others; either may have none. */
  split(count: number): readonly [LineBlock, LineBlock] {
    const lines = Math.min(this.lines, Math.max(0, count));
    const at = this.#placeBehind(lines);
    return [this.#part(this.#from, at, lines), this.#part(at, this.#to, this.lines - lines)];
  }

  /** The lines that are wholly within its first bytes, and the others; either may have none. */
  splitWithin(bytes: number): readonly [LineBlock, LineBlock] {
    const limit = Math.min(Math.floor(bytes), this.bytes);
    const at = limit < 1 ? this.#from : Math.max(this.#from, this.#endOfLineBefore(this.#from + limit));
    const lines = this.#linesIn(this.#from, at);
    return [this.#part(this.#from, at, lines), this.#part(at, this.#to, this.lines - lines)];
  }

  /** Each line as an item. */
  *items(): IterableIterator<Item> {
    for (let from = this.#from; from < this.#to;) {
      const to = this.#endOfLine(from);
      yield {
        text: this.#text.slice(from, to),
        bytes: to - from,
        line: this.#text.slice(from, to - 1),
        lines: 1,
        start: { afterSeq: this.seq - 1, skipBytes: this.#offset + from },
        gap: undefined,
      };
      from = to;
    }
  }

  #placeBehind(lines: number): number {
    if (lines === 0) {
      return this.#from;
    }
    // Most splits are near one of the ends.
    if (this.lines - lines < MANY_LINES) {
      let at = this.#to;
      for (let left = this.lines - lines; left > 0; left -= 1) {
        at = this.#endOfLineBefore(at - 1);
      }
      return at;
    }
    let at = this.#from;
    for (let left = lines; left > 0; left -= 1) {
      at = this.#endOfLine(at);
    }
    return at;
  }

  #endOfLine(from: number): number {
    return this.#text.indexOf(LINE_END, from) + 1;
  }

  /** The place after the last line end before a place; 0 without one. */
  #endOfLineBefore(to: number): number {
    return this.#text.lastIndexOf(LINE_END, to - 1) + 1;
  }

  /** The number of lines that begin at a line's beginning or later, and end at `to` or before. */
  #linesIn(from: number, to: number): number {
    let lines = 0;
    for (let next = this.#endOfLine(from); next > 0 && next <= to; next = this.#endOfLine(next)) {
      lines += 1;
    }
    return lines;
  }

  #part(from: number, to: number, lines: number): LineBlock {
    return new LineBlock(this.seq, this.#text, { offset: this.#offset, from, to, lines });
  }
}
