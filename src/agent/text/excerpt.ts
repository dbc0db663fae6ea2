import type { Item } from './item.js';
import { Queue } from '../../core/index.js';
import { LineBlock } from './lineBlock.js';
import { Middle, type Shown } from './middle.js';
import { utf8Length } from './tokens.js';

/** Shares of the budget. The tail gets all that the head and the middle do not use. */
const HEAD_SHARE = 0.4;
const MIDDLE_SHARE = 0.2;
/**
 * The middle gets at least `MIN_MIDDLE_BYTES`, but at most this share of a small budget. A fifth of a small budget has
 * no room for an error line between two notes.
 */
const SMALL_MIDDLE_SHARE = 0.5;
const MIN_MIDDLE_BYTES = 800;

/**
 * The first and the last of any number of items, and the lines in between that look like errors, within a budget. Holds
 * at most the budget and two items or blocks in memory.
 */
export class Excerpt {
  readonly #maxBytes: number;
  readonly #head: (Item | LineBlock)[] = [];
  #headBytes = 0;
  #headFull = false;
  readonly #middle: Middle;
  /**
   * The newest items; older ones have gone to the middle. The lines of a block go together, when all of them would have
   * gone.
   */
  readonly #tail = new Queue<Item | LineBlock>();
  #tailBytes = 0;

  constructor(maxBytes: number) {
    this.#maxBytes = maxBytes;
    this.#middle = new Middle(
      Math.max(maxBytes * MIDDLE_SHARE, Math.min(maxBytes * SMALL_MIDDLE_SHARE, MIN_MIDDLE_BYTES)),
    );
  }

  add(item: Item): void {
    if (!this.#headFull && this.#headBytes + item.bytes <= this.#maxBytes * HEAD_SHARE) {
      this.#head.push(item);
      this.#headBytes += item.bytes;
      this.#middle.shown(item);
      return;
    }
    this.#headFull = true;
    this.#addToTail(item);
  }

  /** Adds many lines at once, as their items would be. */
  addBlock(block: LineBlock): void {
    const [first, rest] = block.splitWithin(
      this.#headFull ? 0 : this.#maxBytes * HEAD_SHARE - this.#headBytes,
    );
    if (first.lines > 0) {
      this.#head.push(first);
      this.#headBytes += first.bytes;
    }
    if (rest.lines > 0) {
      this.#headFull = true;
      this.#addToTail(rest);
    }
  }

  #addToTail(added: Item | LineBlock): void {
    this.#tail.push(added);
    this.#tailBytes += added.bytes;
    while (this.#tailBytes - (this.#tail.first?.bytes ?? 0) >= this.#maxBytes - this.#headBytes) {
      const oldest = this.#shift();
      if (oldest instanceof LineBlock) {
        this.#middle.addBlock(oldest);
      } else {
        this.#middle.add(oldest);
      }
    }
  }

  /**
   * @param goneThrough The highest number of the output that is gone by now.
   * @returns The text, of at most `maxBytes` bytes, and whether some items are missing from it.
   */
  finish(goneThrough: number): { readonly text: string; readonly leftOut: boolean } {
    let part = '';
    this.#leaveOutOfTail();
    while (this.#tail.size > 0) {
      const room = this.#maxBytes - this.#headBytes - this.#middle.bytes;
      if (this.#tailBytes <= room) {
        break;
      }
      const oldest = this.#takeLine();
      if (this.#tail.size > 0) {
        this.#middle.add(oldest);
      } else {
        part = this.#endOfLast(oldest);
      }
    }
    const shown: Shown[] = [
      ...this.#head.map(toShown),
      ...this.#middle.render(goneThrough),
      { text: part, isNote: false },
      ...[...this.#tail].map(toShown),
    ];
    return { text: join(shown), leftOut: !this.#middle.empty };
  }

  /** Leaves out the lines that cannot fit. A look at each line would take long: a block may have thousands. */
  #leaveOutOfTail(): void {
    const over = this.#tailBytes - (this.#maxBytes - this.#headBytes);
    if (this.#tail.first instanceof LineBlock && over > 0) {
      const [left, rest] = this.#tail.first.splitWithin(over);
      this.#shift();
      this.#putBack(rest);
      this.#middle.addBlock(left);
    }
  }

  /** Takes the oldest item of the tail; the first line of a block. */
  #takeLine(): Item {
    const oldest = this.#shift();
    if (!(oldest instanceof LineBlock)) {
      return oldest;
    }
    const [line, rest] = oldest.split(1);
    const [item] = line.items();
    if (rest.lines > 0) {
      this.#putBack(rest);
    }
    return item ?? none();
  }

  /** The end of the last item, which alone is too large, as far as there is room. */
  #endOfLast(item: Item): string {
    this.#middle.addPart(item);
    const room = this.#maxBytes - this.#headBytes - this.#middle.bytes;
    const end = endOf(item.text, room);
    this.#middle.shownPart(utf8Length(end));
    return end;
  }

  #shift(): Item | LineBlock {
    const oldest = this.#tail.shift() ?? none();
    this.#tailBytes -= oldest.bytes;
    return oldest;
  }

  #putBack(block: LineBlock): void {
    this.#tail.putBack(block);
    this.#tailBytes += block.bytes;
  }
}

/** @throws Error always. */
function none(): never {
  throw new Error('There is no item left.');
}

function toShown({ text }: Item | LineBlock): Shown {
  return { text, isNote: false };
}

function join(parts: readonly Shown[]): string {
  let text = '';
  for (const part of parts) {
    text += part.isNote && text !== '' && !text.endsWith('\n') ? `\n${part.text}` : part.text;
  }
  return text;
}

/** The longest end of a text that takes at most `maxBytes` bytes of UTF-8 and begins with a whole character. */
export function endOf(text: string, maxBytes: number): string {
  let from = text.length;
  let bytes = 0;
  while (from > 0) {
    const code = text.charCodeAt(from - 1);
    const units = code >= 0xdc00 && code < 0xe000 && from > 1 ? 2 : 1;
    bytes += utf8Length(text.slice(from - units, from));
    if (bytes > maxBytes) {
      break;
    }
    from -= units;
  }
  return text.slice(from);
}
