import type { Item } from './item.js';
import type { Cursor } from './cursor.js';
import { LineRuns } from './lineRuns.js';
import { MAX_NOTE_BYTES, tooLargeNote } from './notes.js';
import { OutputLines, type TextOptions } from './outputLines.js';
import { readEvents, type Reader } from './readEvents.js';
import { Turns } from './steps.js';
import { budgetBytes, tokensOfBytes } from './tokens.js';
import { type Gone, withGap } from './sizedGap.js';

interface PageOptions extends TextOptions {
  readonly from: Cursor;
  readonly maxTokens: number;
}

export interface Page {
  /** At most `4 * max(maxTokens, MIN_TOKENS)` bytes of UTF-8. Texts of pages that follow each other fit together. */
  readonly text: string;
  /** Where the next page begins. */
  readonly next: Cursor;
  /** Whether a further page would show output after `next`. */
  readonly more: boolean;
  /** The gaps between `from` and the end of the page; undefined without a gap. */
  readonly gone?: Gone | undefined;
}

/** Output from a cursor on, contiguous, up to the budget. */
export async function pageForward(reader: Reader, options: PageOptions): Promise<Page> {
  const maxBytes = budgetBytes(options.maxTokens);
  const page = new PageItems(maxBytes, options.from);
  const runs = new LineRuns((item) => page.add(item));
  const lines = new OutputLines(runs, options);
  const turns = new Turns();
  try {
    const events = readEvents(reader, options.from);
    for (;;) {
      const { done, value } = await events.next();
      if (done === true) {
        const end = lines.finish(value);
        runs.flush();
        return page.finish(page.next ?? end);
      }
      await turns.run(lines.push(value));
      if (page.next !== undefined) {
        return page.finish(page.next);
      }
    }
  } finally {
    lines.dispose();
  }
}

/**
 * Collects items up to a budget. Lines that cannot be rendered apart stay together, unless they alone are too large.
 */
class PageItems {
  readonly #maxBytes: number;
  readonly #from: Cursor;
  /** The items that fit, also those after the last place at which a page can begin. */
  readonly #items: Item[] = [];
  #bytes = 0;
  /** The number of items before the last place at which a page can begin. */
  #whole = 0;
  /** The size of the items that did not fit, if the first ones cannot be shown in pieces and are too large together. */
  #over: { lines: number; bytes: number } | undefined;
  /** The first place after the page at which another one can begin; undefined until it is known. */
  next: Cursor | undefined;

  constructor(maxBytes: number, from: Cursor) {
    this.#maxBytes = maxBytes;
    this.#from = from;
  }

  add(item: Item): void {
    if (this.next !== undefined) {
      return;
    }
    if (item.start !== undefined) {
      if (this.#over !== undefined) {
        this.next = item.start;
        return;
      }
      this.#whole = this.#items.length;
    }
    if (this.#over === undefined && this.#bytes + item.bytes <= this.#maxBytes) {
      this.#items.push(item);
      this.#bytes += item.bytes;
    } else if (this.#whole > 0) {
      this.next = this.#items[this.#whole]?.start ?? item.start;
      this.#items.length = this.#whole;
    } else {
      this.#over ??= { lines: 0, bytes: 0 };
      this.#over.lines += item.lines;
      this.#over.bytes += item.bytes;
    }
  }

  finish(next: Cursor): Page {
    const note = this.#over === undefined ? '' : this.#noteFor(this.#over);
    const gaps = this.#items.flatMap(({ gap }) => gap ?? []);
    const text = this.#items.map(({ text: shown }) => shown).join('');
    return {
      text: note !== '' && text !== '' && !text.endsWith('\n') ? `${text}\n${note}` : text + note,
      next,
      more: this.next !== undefined,
      ...(gaps.length > 0 && { gone: gaps.reduce<Gone | undefined>(withGap, undefined) }),
    };
  }

  /** The note for the items that did not fit. Takes back as many items as the note needs room. */
  #noteFor(over: { lines: number; bytes: number }): string {
    const need = tokensOfBytes(this.#bytes + over.bytes);
    const cursor = this.#items[0]?.start ?? this.#from;
    while (this.#bytes + MAX_NOTE_BYTES > this.#maxBytes) {
      const item = this.#items.pop();
      if (item === undefined) {
        break;
      }
      this.#bytes -= item.bytes;
      over.bytes += item.bytes;
      over.lines += item.lines;
    }
    return `${tooLargeNote(over.lines, over.bytes, cursor, need)}\n`;
  }
}
