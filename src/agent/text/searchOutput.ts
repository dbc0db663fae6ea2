import type { Pattern } from '../../terminal/pattern.js';
import type { Item } from './item.js';
import { START, formatCursor, type Cursor } from './cursor.js';
import { LineRuns } from './lineRuns.js';
import { OutputLines, type TextOptions } from './outputLines.js';
import type { CutLines } from './pattern.js';
import { readEvents, type Reader } from './readEvents.js';
import { type Steps, Turns } from './steps.js';
import type { LineSink } from './streamRenderer.js';
import { budgetBytes, utf8Length } from './tokens.js';
import { type Gone, withGap } from './sizedGap.js';

interface SearchOptions extends TextOptions {
  readonly pattern: Pattern;
  readonly from?: Cursor | undefined;
  readonly maxTokens: number;
  /** Ends the search. */
  readonly signal?: AbortSignal | undefined;
}

export interface LineMatch {
  readonly line: string;
  /** The cursor from which a page shows the line, at its beginning or a few lines further on. */
  readonly cursor: Cursor;
}

export interface SearchResult {
  /** The matches that fit the budget, oldest first. */
  readonly matches: readonly LineMatch[];
  /** One match a line, `CURSOR: LINE`, within the budget. Equal lines in a row are one line with a count. */
  readonly text: string;
  /** The number of lines that match, shown or not. */
  readonly total: number;
  /** Whether matches did not fit. Then `next` is the cursor to search on from, else the end of the searched part. */
  readonly more: boolean;
  readonly next: Cursor;
  /** The gaps in the searched part; undefined without a gap. */
  readonly gone?: Gone;
  readonly cut?: CutLines;
}

/** Longer lines are searched in pieces of this many UTF-16 units. */
export const SEARCHED_UNITS = 65_536;
/** Longer lines are shown around their matches, in UTF-16 units. */
const SHOWN_UNITS = 1_000;
const MAX_UNIT_BYTES = 3;
/** More than the cursor before a match and the notes about it take. */
const NOTES_BYTES = 160;

/**
 * Searches the retained output for lines, in time proportional to it, and in turns.
 *
 * @throws the reason of the signal.
 */
export async function searchOutput(reader: Reader, options: SearchOptions): Promise<SearchResult> {
  const from = options.from ?? START;
  const found = new FoundLines(options.pattern, budgetBytes(options.maxTokens), from);
  const runs = new LineRuns((item) => found.add(item));
  // Binary output is searched as if it were text: a match may be in it.
  const sink: LineSink = { line: (line) => runs.line(line), gap: (gap) => runs.gap(gap) };
  const lines = new OutputLines(sink, { ...options, from, maxUnits: SEARCHED_UNITS });
  const turns = new Turns();
  const run = async (steps: Steps) => {
    await turns.run(steps, () => options.signal?.aborted === true);
    options.signal?.throwIfAborted();
  };
  try {
    const events = readEvents(reader, from);
    for (;;) {
      const { done, value } = await events.next();
      if (done === true) {
        const end = lines.finish(value);
        runs.flush();
        await run(found.search());
        return found.finish(end);
      }
      await run(lines.push(value));
      await run(found.search());
    }
  } finally {
    lines.dispose();
  }
}

class FoundLines {
  readonly #pattern: Pattern;
  readonly #maxBytes: number;
  /** The items that have not been searched yet. */
  #items: Item[] = [];
  readonly #matches: LineMatch[] = [];
  #text = '';
  #bytes = 0;
  #total = 0;
  #gone: Gone | undefined;
  #cut: CutLines | undefined;
  #place: Cursor;
  /** The first match that did not fit. */
  #next: Cursor | undefined;

  constructor(pattern: Pattern, maxBytes: number, from: Cursor) {
    this.#pattern = pattern;
    this.#maxBytes = maxBytes;
    this.#place = from;
  }

  /** Takes an item, which {@link search} then compares with the pattern. */
  add(item: Item): void {
    this.#items.push(item);
  }

  *search(): Steps {
    const items = this.#items;
    this.#items = [];
    for (const item of items) {
      this.#place = item.start ?? this.#place;
      if (item.gap !== undefined) {
        this.#gone = withGap(this.#gone, item.gap);
      } else if (this.#pattern.matches(item.line)) {
        this.#total += Math.max(1, item.lines);
        this.#show(item);
      } else if (item.line.length > this.#pattern.reach) {
        this.#cut ??= { first: this.#place, reach: this.#pattern.reach };
      }
      yield;
    }
  }

  finish(end: Cursor): SearchResult {
    return {
      matches: this.#matches,
      text: this.#text,
      total: this.#total,
      more: this.#next !== undefined,
      next: this.#next ?? end,
      ...(this.#gone !== undefined && { gone: this.#gone }),
      ...(this.#cut && { cut: this.#cut }),
    };
  }

  #show(item: Item): void {
    if (this.#next !== undefined) {
      return;
    }
    const cursor = this.#place;
    const text = `${formatCursor(cursor)}: ${this.#textOf(item)}`;
    const bytes = utf8Length(text);
    if (this.#bytes + bytes > this.#maxBytes) {
      this.#next = cursor;
      return;
    }
    this.#matches.push({ line: item.line, cursor });
    this.#text += text;
    this.#bytes += bytes;
  }

  /** The item around its matches. The first one always fits, because a search from there would end there again. */
  #textOf({ line, text }: Item): string {
    const most = Math.min(SHOWN_UNITS, Math.floor((this.#maxBytes - NOTES_BYTES) / MAX_UNIT_BYTES));
    const rest = text.slice(line.length);
    return `${this.#pattern.around(line, most)}${rest.endsWith('\n') ? rest : `${rest}\n`}`;
  }
}
