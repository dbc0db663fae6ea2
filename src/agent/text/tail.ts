import type { Item } from './item.js';
import { type OutputStream, Queue } from '../../core/index.js';

import { START, type Cursor } from './cursor.js';
import { endOf } from './excerpt.js';
import { LineRuns } from './lineRuns.js';
import { OutputLines, type TextOptions } from './outputLines.js';
import { readEvents, type Reader } from './readEvents.js';
import { Turns } from './steps.js';
import { budgetBytes, utf8Length } from './tokens.js';

interface TailOptions extends TextOptions {
  /** How many lines are wanted. */
  readonly lines: number;
  readonly maxTokens: number;
  /** The chunks that there are: after the number `first`, up to `last`. */
  readonly first: number;
  readonly last: number;
  /** Whether lines can only be told from the beginning on, because several streams are mixed. */
  readonly mixed: boolean;
}

/** The last lines of an output. */
export interface Tail {
  /** At most `4 * max(maxTokens, MIN_TOKENS)` bytes of UTF-8. */
  readonly text: string;
  /** The number of lines in it; equal ones in a row count as one where only their number is shown. */
  readonly lines: number;
  /** Where the text begins; undefined if reading cannot begin there. */
  readonly from: Cursor | undefined;
  /** The end of the output. */
  readonly next: Cursor;
  /** Whether fewer lines are shown than there are and were wanted, because they do not fit. */
  readonly cut: boolean;
}

/** The number of chunks that are read at first: more than enough for a few dozen printed lines. */
const FIRST_CHUNKS = 16;
const GROWTH = 8;

/**
 * Reads the last lines. For pipes it reads only as much as these lines take. The lines of a terminal depend on all
 * output before them.
 */
export async function readTail(reader: Reader, options: TailOptions): Promise<Tail> {
  const { first, last, tty, mixed } = options;
  for (let chunks = FIRST_CHUNKS; ; chunks *= GROWTH) {
    const whole = tty || mixed || last - chunks <= first;
    const lines = new LastLines(options.lines, budgetBytes(options.maxTokens));
    const from = whole ? START : { afterSeq: last - chunks, skipBytes: 0 };
    const { next, streams } = await readInto(lines, reader, options, from);
    // The first line may be one whose beginning was not read, but then it is the first that is dropped.
    if (whole || (lines.full && streams === 1)) {
      return lines.finish(next);
    }
  }
}

async function readInto(
  into: LastLines,
  reader: Reader,
  options: TailOptions,
  from: Cursor,
): Promise<{ readonly next: Cursor; readonly streams: number }> {
  const streams = new Set<OutputStream>();
  const runs = new LineRuns((item) => into.add(item));
  // A line is one item, unless it does not fit the budget.
  const lines = new OutputLines(runs, { ...options, from, maxUnits: budgetBytes(options.maxTokens) });
  const turns = new Turns();
  try {
    const events = readEvents(reader, from, options.last);
    for (;;) {
      const { done, value } = await events.next();
      if (done === true) {
        const end = lines.finish(value);
        runs.flush();
        return { next: end, streams: streams.size };
      }
      if (value.type === 'output') {
        streams.add(value.stream);
      }
      await turns.run(lines.push(value));
    }
  } finally {
    lines.dispose();
  }
}

/** A row of text, or several that are shown or left out together. */
interface Rows {
  readonly text: string;
  readonly bytes: number;
  readonly lines: number;
  readonly start: Cursor | undefined;
}

/** Stands before the rest of a line. */
const REST = '[…] ';

/** Keeps the last lines, up to a number of them and a size. */
class LastLines {
  readonly #wanted: number;
  readonly #maxBytes: number;
  readonly #kept = new Queue<Rows>();
  #lines = 0;
  #bytes = 0;
  /** Whether older lines have been dropped. */
  full = false;
  /** Whether the first row is the rest of a line. */
  #isRest = false;

  constructor(wanted: number, maxBytes: number) {
    this.#wanted = wanted;
    this.#maxBytes = maxBytes;
  }

  add(item: Item): void {
    for (const rows of rowsOf(item)) {
      this.#kept.push(rows);
      this.#lines += rows.lines;
      this.#bytes += rows.bytes;
      this.#dropOld();
    }
  }

  finish(next: Cursor): Tail {
    const rows = [...this.#kept];
    const text = rows.map((row) => row.text).join('');
    if (this.#isRest || this.#bytes > this.#maxBytes) {
      const end = endOf(text, this.#maxBytes - utf8Length(REST));
      return { text: REST + end, lines: this.#lines, from: undefined, next, cut: true };
    }
    const cut = this.full && this.#lines < this.#wanted;
    return { text, lines: this.#lines, from: rows[0]?.start, next, cut };
  }

  #dropOld(): void {
    for (let { first } = this.#kept; first !== undefined && this.#kept.size > 1; { first } = this.#kept) {
      if (this.#lines - first.lines < this.#wanted && this.#bytes <= this.#maxBytes) {
        return;
      }
      this.#kept.shift();
      this.#lines -= first.lines;
      this.#bytes -= first.bytes;
      this.#isRest = !first.text.endsWith('\n');
      this.full = true;
    }
  }
}

/** The lines of an item, if each can be shown alone: not if they are one line and the number of its repetitions. */
function rowsOf({ text, line, lines, start, gap }: Item): readonly Rows[] {
  const rows = text.split(/(?<=\n)/);
  const apart = line.includes('\n') || rows.every((row) => row === `${line}\n`) ? rows : [text];
  return apart.map((row, index) => ({
    text: row,
    bytes: utf8Length(row),
    lines: gap !== undefined ? 0 : apart.length > 1 ? 1 : Math.max(1, lines),
    start: index === 0 ? start : undefined,
  }));
}
