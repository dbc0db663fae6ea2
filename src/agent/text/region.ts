import type { Item } from './item.js';
import type { Cursor } from './cursor.js';
import type { LineBlock } from './lineBlock.js';
import type { LeftOut } from './notes.js';
import { type Gone, withGap } from './sizedGap.js';

/** The cursor from which a page has an item, and the number of lines that such a page shows before it. */
export interface Place {
  readonly cursor: Cursor;
  readonly shownLines: number;
}

/** The first place in a chunk at which reading can begin. */
interface Mark {
  readonly afterSeq: number;
  /** The lines of the region before it. */
  readonly lines: number;
}

/** How many marks are kept at most. Fewer make the count of the lines that are still there less exact. */
const MAX_MARKS = 64;

/** A run of lines that are left out, to which more may be added, in memory that is bounded. */
export class Region {
  readonly #place: Place;
  #lines = 0;
  #bytes = 0;
  #gaps = 0;
  #gone: Gone | undefined;
  /** Whether the last item is only a part of a line, which counts as one more line. */
  #hasPart = false;
  /** The marks in order, evenly spread. */
  #marks: Mark[] = [];
  #newest: Mark | undefined;
  /** The least number of lines between two marks. */
  #stride = 1;

  constructor(place: Place) {
    this.#place = place;
  }

  /** Adds many lines at once, as their items would be. */
  addBlock(block: LineBlock): void {
    this.#mark(block);
    this.#lines += block.lines;
    this.#bytes += block.bytes;
    this.#hasPart = false;
  }

  add(item: Item): void {
    this.#mark(item);
    this.#lines += item.lines;
    if (item.gap === undefined) {
      this.#bytes += item.bytes;
      this.#hasPart = item.lines === 0;
    } else {
      this.#gaps += 1;
      this.#gone = withGap(this.#gone, item.gap);
      this.#hasPart = false;
    }
  }

  /** Takes note that this many bytes at the end of the last item are shown. */
  shownPart(bytes: number): void {
    this.#bytes -= bytes;
  }

  /** @param goneThrough The highest number of the output that is gone, so that no page has it. */
  leftOut(goneThrough: number): LeftOut {
    const { cursor, shownLines } = this.#place;
    const lines = this.#lines + (this.#hasPart ? 1 : 0);
    return {
      lines,
      bytes: this.#bytes,
      gaps: this.#gaps,
      gone: this.#gone,
      there:
        cursor.afterSeq >= goneThrough
          ? { whole: true, cursor, shownLines }
          : this.#newest === undefined || this.#newest.afterSeq < goneThrough
            ? undefined
            : {
                whole: false,
                cursor: { afterSeq: goneThrough, skipBytes: 0 },
                lines: Math.max(1, lines - this.#linesBefore(goneThrough)),
              },
    };
  }

  /** About the number of lines of the region that are gone. */
  #linesBefore(goneThrough: number): number {
    const there = this.#marks.find(({ afterSeq }) => afterSeq >= goneThrough) ?? this.#newest;
    return there?.lines ?? 0;
  }

  /** Takes note of a place to begin, the first in each chunk: output goes by chunks. */
  #mark({ start }: Pick<Item, 'start'>): void {
    if (start === undefined || start.afterSeq === this.#newest?.afterSeq) {
      return;
    }
    this.#newest = { afterSeq: start.afterSeq, lines: this.#lines };
    const last = this.#marks.at(-1);
    if (last === undefined || this.#lines - last.lines >= this.#stride) {
      this.#marks.push(this.#newest);
      if (this.#marks.length > MAX_MARKS) {
        this.#marks = this.#marks.filter((_, index) => index % 2 === 0);
        this.#stride *= 2;
      }
    }
  }
}
