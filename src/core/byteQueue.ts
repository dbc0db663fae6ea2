/** A chunk of this size is kept as it is, in a piece of its own; smaller ones share pieces, into which they are copied. */
const OWN_PIECE_BYTES = 4 * 1024;
/** What part of its size may lie beside a chunk in the memory that is kept with it: the head of a message, for example. */
const BESIDE = 1 / 16;
/** The first shared piece; each that follows it is twice as large, up to the most. */
const FIRST_PIECE_BYTES = 1024;
const LARGEST_PIECE_BYTES = 64 * 1024;

interface Piece {
  /** The place of its first byte. */
  readonly start: number;
  /** Never written to where something has been written. */
  bytes: Uint8Array;
  used: number;
  /** Whether it holds several chunks. */
  readonly shared: boolean;
}

/**
 * Bytes that come at one end and go at the other. They lie in pieces that are never written to again, so that what has
 * been handed out stays as it is without a copy. What is held beside the payload: what has gone of the first piece, the
 * room in the last one, both below 64 KiB, less than 1/16 for chunks that did not fit into a shared piece, and no more
 * than {@link BESIDE} for large ones that came with something else.
 */
export class ByteQueue {
  /** `#first` is the first that counts: those before it are cut off in bulk, a shift() would move all others each time. */
  #pieces: (Piece | undefined)[] = [];
  #first = 0;
  /** The place of the next byte. */
  #end = 0;
  #allocated = 0;

  /** Bytes of memory held, whether in use or not. */
  get allocatedBytes(): number {
    return this.#allocated;
  }

  /**
   * Keeps `bytes` or a copy of them: they must not be changed any more.
   *
   * @param start Their place; not behind the end of what came before unless all of that has been let go of.
   */
  append(start: number, bytes: Uint8Array): void {
    const size = bytes.byteLength;
    this.#end = start;
    if (size >= OWN_PIECE_BYTES) {
      this.#trimLast();
      // A small view would keep the whole memory behind it.
      const fits = bytes.buffer.byteLength - size <= size * BESIDE;
      this.#addPiece(fits ? bytes : new Uint8Array(bytes), size);
    } else {
      const open = this.#pieceWithRoom(size);
      open.bytes.set(bytes, open.used);
      open.used += size;
    }
    this.#end += size;
  }

  /** What was appended at that place. */
  view(start: number, size: number): Uint8Array {
    const piece = this.#pieceAt(start);
    return piece === undefined
      ? new Uint8Array(0)
      : piece.bytes.subarray(start - piece.start, start - piece.start + size);
  }

  /** Lets go of what was appended before that place. */
  dropBefore(start: number): void {
    for (let first = this.#pieces[this.#first]; first !== undefined; first = this.#pieces[this.#first]) {
      if (first.start + first.used > start) {
        break;
      }
      this.#allocated -= first.bytes.buffer.byteLength;
      this.#pieces[this.#first] = undefined;
      this.#first += 1;
    }
    if (this.#first > 0 && this.#first * 2 >= this.#pieces.length) {
      this.#pieces = this.#pieces.slice(this.#first);
      this.#first = 0;
    }
  }

  /** Moves what has been appended from that place on into as little memory as it can have. */
  compact(start: number): void {
    const bytes = new Uint8Array(Math.max(0, this.#end - start));
    const pieces = this.#pieces.flatMap((piece) => piece ?? []);
    if (bytes.byteLength === this.#allocated && pieces.length <= 1) {
      return;
    }
    for (const piece of pieces) {
      const from = Math.max(start, piece.start);
      bytes.set(piece.bytes.subarray(from - piece.start, piece.used), from - start);
    }
    this.#pieces = bytes.byteLength === 0 ? [] : [{ start, bytes, used: bytes.byteLength, shared: false }];
    this.#first = 0;
    this.#allocated = bytes.byteLength;
  }

  #pieceWithRoom(size: number): Piece {
    const last = this.#pieces.at(-1);
    if (last !== undefined && last.used + size <= last.bytes.byteLength) {
      return last;
    }
    const next = last?.shared === true ? last.bytes.byteLength * 2 : FIRST_PIECE_BYTES;
    return this.#addPiece(new Uint8Array(Math.max(Math.min(next, LARGEST_PIECE_BYTES), size)), 0);
  }

  #addPiece(bytes: Uint8Array, used: number): Piece {
    const piece: Piece = { start: this.#end, bytes, used, shared: used === 0 };
    this.#pieces.push(piece);
    this.#allocated += bytes.buffer.byteLength;
    return piece;
  }

  /** Nothing more fits behind it: a large chunk follows. */
  #trimLast(): void {
    const last = this.#pieces.at(-1);
    if (last !== undefined && last.used < last.bytes.byteLength) {
      this.#allocated -= last.bytes.byteLength - last.used;
      last.bytes = last.bytes.slice(0, last.used);
    }
  }

  #pieceAt(start: number): Piece | undefined {
    let low = this.#first;
    let high = this.#pieces.length - 1;
    while (low < high) {
      const middle = (low + high + 1) >>> 1;
      if ((this.#pieces[middle]?.start ?? 0) <= start) {
        low = middle;
      } else {
        high = middle - 1;
      }
    }
    return this.#pieces[low];
  }
}
