import type { Cursor } from './cursor.js';
import { suspicionOf } from './errorLines.js';
import type { Item } from './lineRuns.js';
import { leftOutNote, MAX_NOTE_BYTES, type LeftOut } from './notes.js';

/** Lines that are kept with an error line: what led to it, and what says more about it. */
const LINES_BEFORE = 2;
const LINES_AFTER = 5;
/** How often lines are kept that differ in numbers only: more of the same say nothing new. */
const MAX_ALIKE = 3;
/** What lines that only may be errors can take of the room. */
const WEAK_SHARE = 0.5;

/** By how much a note becomes longer when two lines more are left out: a digit and a comma for lines and for tokens. */
const NOTE_GROWTH = 6;

/** A part of a text. */
export interface Shown {
  readonly text: string;
  /** It stands in lines of its own. */
  readonly isNote: boolean;
}

type Part = { readonly left: OpenRegion } | { readonly kept: string };

/** Lines that are left out, while more come. */
interface OpenRegion {
  lines: number;
  bytes: number;
  cursor: Cursor;
  shownLines: number;
  gaps: number;
  goneBytes: number;
  /** It ends or begins in the middle of a line. */
  hasPart: boolean;
}

/**
 * What is left out between the head and the tail, of which the lines that look like errors are kept as far as there is
 * room for them. What it holds is bounded by that room.
 */
export class Middle {
  readonly #room: number;
  readonly #parts: Part[] = [];
  readonly #alike = new Map<string, number>();
  /** Left out, unless an error line follows at once. */
  #recent: { readonly item: Item; readonly place: Place }[] = [];
  /** What is kept, and the notes that stand before something that is kept. */
  #shownBytes = 0;
  #keepNext = 0;
  #place: Place | undefined;

  /** @param room Bytes for lines that are kept, and for what has to be said between them. */
  constructor(room: number) {
    this.#room = room;
  }

  get empty(): boolean {
    return this.#parts.length === 0 && this.#recent.length === 0;
  }

  /** What has been shown before it: reading may have to begin there. */
  shown(item: Item): void {
    this.#place = placeAfter(this.#placeOf(item), item);
  }

  add(item: Item): void {
    const place = this.#placeOf(item);
    this.#place = placeAfter(place, item);
    if (this.#isWanted(item)) {
      this.#keep(item);
      return;
    }
    this.#keepNext = 0;
    this.#recent.push({ item, place });
    if (this.#recent.length > LINES_BEFORE) {
      this.#leaveOut(this.#recent.shift());
    }
  }

  /** Leaves out an item, of which the end may be shown. */
  addPart(item: Item): void {
    const place = this.#placeOf(item);
    this.#place = placeAfter(place, item);
    this.#leaveOutRecent();
    this.#leaveOut({ item, place });
  }

  /** So much of the end of what was left out last is shown. */
  shownPart(bytes: number): void {
    const last = this.#parts.at(-1);
    if (last !== undefined && 'left' in last) {
      last.left.bytes -= bytes;
    }
  }

  /** What stands between the head and the tail. */
  render(): readonly Shown[] {
    this.#leaveOutRecent();
    return this.#parts.map((part) =>
      'kept' in part
        ? { text: part.kept, isNote: false }
        : { text: `${leftOutNote(finished(part.left))}\n`, isNote: true },
    );
  }

  /** How many bytes {@link render} takes at most, with a line end before each note. */
  get bytes(): number {
    const last = this.#parts.at(-1);
    if (last !== undefined && 'left' in last) {
      // What is left out next is added to it.
      return this.#shownBytes + noteBytes(last.left) + NOTE_GROWTH;
    }
    return this.#shownBytes + (this.#recent.length > 0 ? MAX_NOTE_BYTES : 0);
  }

  #placeOf(item: Item): Place {
    return item.start !== undefined ? { cursor: item.start, shownLines: 0 } : (this.#place ?? NOWHERE);
  }

  #isWanted(item: Item): boolean {
    if (item.gap !== undefined) {
      return false;
    }
    const suspicion = suspicionOf(item.line);
    if (suspicion !== 'none' && this.#isNew(item)) {
      const room = suspicion === 'strong' ? this.#room : this.#room * WEAK_SHARE;
      if (this.#costOf(item) <= room - this.bytes) {
        this.#keepNext = LINES_AFTER;
        this.#count(item);
        return true;
      }
    }
    if (this.#keepNext > 0 && this.#costOf(item) <= this.#room - this.bytes) {
      this.#keepNext -= 1;
      return true;
    }
    return false;
  }

  #keep(item: Item): void {
    const before = this.#recent.reduce((sum, { item: { bytes } }) => sum + bytes, 0);
    if (this.bytes + this.#costOf(item) + before > this.#room) {
      this.#leaveOutRecent();
    }
    for (const { item: earlier } of this.#recent) {
      this.#push(earlier);
    }
    this.#recent = [];
    this.#push(item);
  }

  #push(item: Item): void {
    const last = this.#parts.at(-1);
    const note = last !== undefined && 'left' in last ? noteBytes(last.left) : 0;
    this.#shownBytes += item.bytes + note;
    this.#parts.push({ kept: item.text });
  }

  #leaveOutRecent(): void {
    for (const left of this.#recent) {
      this.#leaveOut(left);
    }
    this.#recent = [];
  }

  #leaveOut(left: { readonly item: Item; readonly place: Place } | undefined): void {
    if (left === undefined) {
      return;
    }
    const region = this.#region(left.place);
    region.bytes += left.item.bytes;
    region.lines += left.item.lines;
    region.hasPart = left.item.lines === 0;
    if (left.item.gap !== undefined) {
      region.gaps += 1;
      region.goneBytes += left.item.gap.bytes ?? 0;
      region.bytes -= left.item.bytes;
      region.hasPart = false;
    }
  }

  #region({ cursor, shownLines }: Place): OpenRegion {
    const last = this.#parts.at(-1);
    if (last !== undefined && 'left' in last) {
      return last.left;
    }
    const left = { lines: 0, bytes: 0, cursor, shownLines, gaps: 0, goneBytes: 0, hasPart: false };
    this.#parts.push({ left });
    return left;
  }

  /** A line that is not kept together with the one before needs another note. */
  #costOf(item: Item): number {
    return item.bytes + MAX_NOTE_BYTES;
  }

  #isNew(item: Item): boolean {
    return (this.#alike.get(alike(item)) ?? 0) < MAX_ALIKE;
  }

  #count(item: Item): void {
    this.#alike.set(alike(item), (this.#alike.get(alike(item)) ?? 0) + 1);
  }
}

/** Where reading has to begin to have an item, and how many lines it shows before. */
interface Place {
  readonly cursor: Cursor;
  readonly shownLines: number;
}

const NOWHERE: Place = { cursor: { afterSeq: 0, skipBytes: 0 }, shownLines: 0 };

function placeAfter(place: Place, item: Item): Place {
  return { cursor: place.cursor, shownLines: place.shownLines + item.lines };
}

/** With its line end, and one before it. */
function noteBytes(region: OpenRegion): number {
  return leftOutNote(finished(region)).length + 2;
}

function finished(region: OpenRegion): LeftOut {
  return { ...region, lines: region.lines + (region.hasPart ? 1 : 0) };
}

function alike(item: Item): string {
  return item.line.replace(/\d+/g, '0');
}
