import type { Item } from './item.js';
import type { LineBlock } from './lineBlock.js';
import { leftOutNote, MAX_NOTE_BYTES } from './notes.js';
import { type Place, Region } from './region.js';

/** How many lines are kept with an error line: those before it led to it, those after it say more about it. */
const LINES_BEFORE = 2;
const LINES_AFTER = 5;
/** How many lines are kept that differ only in numbers: more of the same say nothing new. */
const MAX_ALIKE = 3;
/** The share of the room for lines that are only perhaps errors. */
const WEAK_SHARE = 0.5;

/** The bytes by which a note grows when two more lines are left out: a digit and a comma for lines and for tokens. */
const NOTE_GROWTH = 6;
/** The most bytes by which a note grows when a part of its lines is gone. Only one note can have such a part. */
const GONE_GROWTH = 75;

/** A part of a text. */
export interface Shown {
  readonly text: string;
  /** Whether it is a note, which stands on lines of its own. */
  readonly isNote: boolean;
}

type Part = { readonly left: Region } | { readonly kept: string };

/**
 * The lines between the head and the tail. Those that look like errors are kept as far as there is room for them; the
 * others are left out. The memory it takes is bounded by that room.
 */
export class Middle {
  readonly #room: number;
  readonly #parts: Part[] = [];
  readonly #alike = new Map<string, number>();
  /** The last few lines, which are left out unless an error line follows at once. */
  #recent: { readonly item: Item; readonly place: Place }[] = [];
  /** Bytes of the kept lines, and of the notes that stand before one of them. */
  #shownBytes = 0;
  #keepNext = 0;
  #place: Place | undefined;

  /** @param room Bytes for the kept lines and for the notes between them. */
  constructor(room: number) {
    this.#room = room;
  }

  get empty(): boolean {
    return this.#parts.length === 0 && this.#recent.length === 0;
  }

  /** Takes note of an item that is shown before the middle: a page with left-out lines may have to begin there. */
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

  /** Adds many lines at once, as their items would be. */
  addBlock(block: LineBlock): void {
    for (let rest = block; rest.lines > 0;) {
      const plain: number = this.#keepNext > 0 ? 0 : rest.linesBefore(SUSPECT_LINE);
      const [before, behind] = rest.split(plain);
      this.#addPlain(before);
      const [first, others] = behind.split(1);
      this.#addAll(first);
      rest = others;
    }
  }

  #addAll(block: LineBlock): void {
    for (const item of block.items()) {
      this.add(item);
    }
  }

  /** Adds lines that do not look like errors, while no line is kept because of one before it. */
  #addPlain(block: LineBlock): void {
    const [before, last] = block.split(block.lines - LINES_BEFORE);
    if (before.lines > 0) {
      this.#leaveOutRecent();
      this.#region({ cursor: before.start, shownLines: 0 }).addBlock(before);
    }
    this.#addAll(last);
  }

  /** Leaves out an item whose end may be shown all the same; see {@link shownPart}. */
  addPart(item: Item): void {
    const place = this.#placeOf(item);
    this.#place = placeAfter(place, item);
    this.#leaveOutRecent();
    this.#leaveOut({ item, place });
  }

  /** Takes note that this many bytes at the end of the item left out last are shown. */
  shownPart(bytes: number): void {
    const last = this.#parts.at(-1);
    if (last !== undefined && 'left' in last) {
      last.left.shownPart(bytes);
    }
  }

  /**
   * The kept lines and the notes, in order.
   *
   * @param goneThrough The highest number of the output that is gone by now.
   */
  render(goneThrough: number): readonly Shown[] {
    this.#leaveOutRecent();
    return this.#parts.map((part) =>
      'kept' in part
        ? { text: part.kept, isNote: false }
        : { text: `${leftOutNote(part.left.leftOut(goneThrough))}\n`, isNote: true },
    );
  }

  /** The most bytes that {@link render} can take, with a line end before each note. */
  get bytes(): number {
    const last = this.#parts.at(-1);
    if (last !== undefined && 'left' in last) {
      // Lines that are left out next are added to this region, and its note grows.
      return this.#shownBytes + noteBytes(last.left) + NOTE_GROWTH + GONE_GROWTH;
    }
    return this.#shownBytes + (this.#recent.length > 0 ? MAX_NOTE_BYTES : 0) + (this.empty ? 0 : GONE_GROWTH);
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
    this.#region(left.place).add(left.item);
  }

  #region(place: Place): Region {
    const last = this.#parts.at(-1);
    if (last !== undefined && 'left' in last) {
      return last.left;
    }
    const left = new Region(place);
    this.#parts.push({ left });
    return left;
  }

  /** The bytes of an item and of another note, which it needs unless it is kept together with the line before. */
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

const NOWHERE: Place = { cursor: { afterSeq: 0, skipBytes: 0 }, shownLines: 0 };

function placeAfter(place: Place, item: Item): Place {
  return { cursor: place.cursor, shownLines: place.shownLines + item.lines };
}

/** The bytes of a region's note as long as nothing of it is gone, with its line end and one before it. */
function noteBytes(region: Region): number {
  return leftOutNote(region.leftOut(0)).length + 2;
}

function alike(item: Item): string {
  return item.line.replace(/\d+/g, '0');
}

/** How much a line looks like the reason why something went wrong. */
type Suspicion = 'none' | 'weak' | 'strong';

/** Finds a line that may be suspicious among several lines of ASCII. Lines without a match are not suspicious. */
export const SUSPECT_LINE =
  /error|fail|exception|panic|fatal|assert|abort|denied|cannot|could not|crash|timed out|no such|traceback|unhandled|uncaught|fault|core dumped|not ok|err!|^E\s/im;
/** Every suspicious line has one of these. Most lines have none, so this test alone settles them. */
const SUSPECT = new RegExp(`${SUSPECT_LINE.source}|[✗✖✘×❌]`, 'iu');
const STRONG =
  /\b(?:panic(?:ked)?|fatal|traceback|unhandled|uncaught|segmentation fault|core dumped|assert\w*|FAIL|FAILED|FAILURE)\b|\bERR!|\w(?:Error|Exception)\b|^\s*(?:not ok\b|[✗✖✘×❌])|^\s*(?:\S+\s)?error\b|\berror(?:\[\w+\])?:|\berror [A-Z]+\d+\b|^E\s{2}/iu;
/** Lines that say that nothing went wrong, or that name a test that passed. */
const HARMLESS =
  /\b(?:0|no|without|zero) (?:errors?|fail(?:ed|ing|ures?)|exceptions?)\b|\b(?:errors?|fail(?:ed|ures|ing)?|exceptions?)\s{0,8}[:=]?\s{0,8}0\b|^\s*(?:ok|PASS|PASSED|[✓✔√])\s/iu;

export function suspicionOf(line: string): Suspicion {
  if (!SUSPECT.test(line) || HARMLESS.test(line)) {
    return 'none';
  }
  return STRONG.test(line) ? 'strong' : 'weak';
}
