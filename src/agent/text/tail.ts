import type { OutputStream } from '../../core/index.js';

import { START, type Cursor } from './cursor.js';
import { LineRuns, type Item } from './lineRuns.js';
import { OutputLines, type TextOptions } from './outputLines.js';
import { readEvents, type Reader } from './readEvents.js';
import { Turns } from './steps.js';
import { budgetBytes, utf8Length } from './tokens.js';

export interface TailOptions extends TextOptions {
  /** How many lines are wanted. */
  readonly lines: number;
  readonly maxTokens: number;
  /** The chunks that there are: behind the number `first`, up to `last`. */
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

/** The chunks that are read at first: of a program that prints lines, more than enough for a few dozen of them. */
const FIRST_CHUNKS = 16;
const GROWTH = 8;
const MANY = 1_000;

/**
 * Reads the last lines. Of pipes, only as much is read as these lines take; what a terminal shows depends on all that came
 * before.
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
  const lines = new OutputLines(runs, { ...options, from });
  const turns = new Turns();
  try {
    const events = readEvents(reader, from, options.last);
    for (;;) {
      const { done, value } = await events.next();
      if (done === true) {
        const end = lines.finish(value);
        runs.flush();
        into.endLine();
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

/** A line, or lines that are shown or left out together. */
interface Rows {
  readonly text: string;
  readonly bytes: number;
  readonly lines: number;
  readonly start: Cursor | undefined;
}

/** Keeps the last lines, up to a number of them and up to a size. */
class LastLines {
  readonly #wanted: number;
  readonly #maxBytes: number;
  #kept: Rows[] = [];
  /** How many at the beginning of `#kept` have been dropped: to move the others each time would take long. */
  #dropped = 0;
  #lines = 0;
  #bytes = 0;
  /** Whether the oldest lines have been dropped. */
  full = false;
  /** The parts of a line that has not ended. */
  #parts: Item[] = [];
  #partBytes = 0;

  constructor(wanted: number, maxBytes: number) {
    this.#wanted = wanted;
    this.#maxBytes = maxBytes;
  }

  add(item: Item): void {
    if (item.gap !== undefined) {
      this.endLine();
      this.#keep({ text: item.text, bytes: item.bytes, lines: 0, start: item.start });
      return;
    }
    this.#parts.push(item);
    this.#partBytes += item.bytes;
    while (this.#partBytes - (this.#parts[0]?.bytes ?? 0) > this.#maxBytes) {
      this.#partBytes -= this.#parts.shift()?.bytes ?? 0;
    }
    if (item.lines > 0) {
      this.endLine();
    }
  }

  /** Ends the line of which parts have been added, if there is one. */
  endLine(): void {
    const parts = this.#parts;
    const [first] = parts;
    this.#parts = [];
    this.#partBytes = 0;
    if (first === undefined) {
      return;
    }
    const rows = parts.length === 1 ? rowsOf(first) : [parts.map(({ text }) => text).join('')];
    const lines = rows.length > 1 ? 1 : Math.max(1, first.lines);
    for (const [index, text] of rows.entries()) {
      this.#keep({ text, bytes: utf8Length(text), lines, start: index === 0 ? first.start : undefined });
    }
  }

  finish(next: Cursor): Tail {
    const shown: Rows[] = [];
    let lines = 0;
    let bytes = 0;
    let cut = false;
    for (const rows of this.#kept.slice(this.#dropped).reverse()) {
      if (lines >= this.#wanted) {
        break;
      }
      if (bytes + rows.bytes > this.#maxBytes) {
        cut = true;
        if (shown.length === 0) {
          shown.push(endOf(rows, this.#maxBytes));
          lines = 1;
        }
        break;
      }
      shown.push(rows);
      lines += rows.lines;
      bytes += rows.bytes;
    }
    shown.reverse();
    return {
      text: shown.map(({ text }) => text).join(''),
      lines,
      from: shown[0]?.start,
      next,
      cut,
    };
  }

  #keep(rows: Rows): void {
    this.#kept.push(rows);
    this.#lines += rows.lines;
    this.#bytes += rows.bytes;
    for (let first = this.#kept[this.#dropped]; first !== undefined; first = this.#kept[this.#dropped]) {
      const enough = this.#lines - first.lines >= this.#wanted || this.#bytes - first.bytes > this.#maxBytes;
      if (!enough) {
        break;
      }
      this.#lines -= first.lines;
      this.#bytes -= first.bytes;
      this.#dropped += 1;
      this.full = true;
    }
    if (this.#dropped > this.#kept.length / 2 && this.#dropped > MANY) {
      this.#kept = this.#kept.slice(this.#dropped);
      this.#dropped = 0;
    }
  }
}

/** The lines of an item, if each can be shown alone: not if they are one line and the number of its repetitions. */
function rowsOf({ text, line }: Item): readonly string[] {
  const rows = text.split(/(?<=\n)/);
  return line.includes('\n') || rows.every((row) => row === `${line}\n`) ? rows : [text];
}

/** The end of a text that is too long for a budget. */
function endOf({ text }: Rows, maxBytes: number): Rows {
  // A UTF-16 unit takes at most three bytes; the mark in front of the rest takes six.
  const end = text.slice(-Math.floor((maxBytes - 6) / 3)).replace(/^[\udc00-\udfff]/, '');
  const shown = `[…] ${end}`;
  return { text: shown, bytes: utf8Length(shown), lines: 1, start: undefined };
}
