import type { Evicted, OutputChunk, OutputStream } from './execEvents.js';

/** The most output that a log keeps. Whichever bound is met first lets the oldest chunks go. */
export interface LogLimits {
  readonly bytes: number;
  readonly chunks: number;
}

const STREAMS: readonly OutputStream[] = ['stdout', 'stderr', 'pty'];
const FIRST_BYTES = 1024;
const FIRST_CHUNKS = 16;

/**
 * The newest output chunks of one process, packed: the bytes in one ring, and 13 bytes beside them for each chunk. An
 * object a chunk would cost some 270 bytes, seventeen times the payload of a 16-byte chunk. Both rings double on
 * demand up to their bound, so that a silent process costs almost nothing.
 */
export class ChunkRing {
  #limits: LogLimits;

  #bytes = new Uint8Array(0);
  #byteHead = 0;

  #seqs = new Float64Array(0);
  /** Where a chunk starts in all output so far, modulo 2^32: what is retained is always shorter than that. */
  #starts = new Uint32Array(0);
  #streams = new Uint8Array(0);
  #chunkHead = 0;

  #count = 0;
  #totalBytes = 0;
  readonly #evicted = { bytes: 0, chunks: 0, throughSeq: 0 };

  constructor(limits: LogLimits) {
    this.#limits = limits;
  }

  get count(): number {
    return this.#count;
  }

  get retainedBytes(): number {
    return this.#totalBytes - this.#evicted.bytes;
  }

  get totalBytes(): number {
    return this.#totalBytes;
  }

  get totalChunks(): number {
    return this.#evicted.chunks + this.#count;
  }

  get evicted(): Evicted {
    return { ...this.#evicted };
  }

  /** Bytes of memory held, whether in use or not. */
  get allocatedBytes(): number {
    return (
      this.#bytes.byteLength + this.#seqs.byteLength + this.#starts.byteLength + this.#streams.byteLength
    );
  }

  /** Keeps a copy of `bytes`; the oldest chunks make room. A chunk above the bound counts as evicted at once. */
  push(seq: number, stream: OutputStream, bytes: Uint8Array): void {
    if (bytes.byteLength > this.#limits.bytes || this.#limits.chunks < 1) {
      this.evictTo(0);
      this.#totalBytes += bytes.byteLength;
      this.#countEvicted(bytes.byteLength, seq);
      return;
    }
    while (
      this.#count + 1 > this.#limits.chunks ||
      this.retainedBytes + bytes.byteLength > this.#limits.bytes
    ) {
      this.#evictOldest();
    }
    this.#makeRoom(bytes.byteLength);

    const slot = (this.#chunkHead + this.#count) % this.#seqs.length;
    this.#seqs[slot] = seq;
    this.#starts[slot] = this.#totalBytes % 2 ** 32;
    this.#streams[slot] = STREAMS.indexOf(stream);
    this.#copyIn(bytes);
    this.#count += 1;
    this.#totalBytes += bytes.byteLength;
  }

  /** The chunk at `index`, 0 being the oldest that is retained. Its bytes are a copy. */
  at(index: number): OutputChunk {
    const slot = this.#slot(index);
    return {
      seq: this.#seqs[slot] ?? 0,
      stream: STREAMS[this.#streams[slot] ?? 0] ?? 'stdout',
      bytes: this.#copyOut(this.#offset(index), this.sizeAt(index)),
    };
  }

  /** The number of the chunk at `index`. */
  seqAt(index: number): number {
    return this.#seqs[this.#slot(index)] ?? 0;
  }

  /** The length of the chunk at `index`, in bytes. */
  sizeAt(index: number): number {
    const end = index + 1 < this.#count ? this.#offset(index + 1) : this.retainedBytes;
    return end - this.#offset(index);
  }

  /** The index of the first retained chunk with a number above `seq`; {@link count} when there is none. */
  indexAfter(seq: number): number {
    let low = 0;
    let high = this.#count;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (this.seqAt(middle) > seq) {
        high = middle;
      } else {
        low = middle + 1;
      }
    }
    return low;
  }

  /** Lets the oldest chunks go until at most `bytes` are retained. */
  evictTo(bytes: number): void {
    while (this.#count > 0 && this.retainedBytes > bytes) {
      this.#evictOldest();
    }
  }

  /** Gives back the memory that is held in advance: for a log that will grow no more. */
  compact(): void {
    this.#resizeBytes(this.retainedBytes);
    this.#resizeChunks(this.#count);
  }

  #slot(index: number): number {
    return (this.#chunkHead + index) % this.#seqs.length;
  }

  /** Where the chunk at `index` starts, counted from the first retained byte. */
  #offset(index: number): number {
    return ((this.#starts[this.#slot(index)] ?? 0) - this.#evicted.bytes) >>> 0;
  }

  #evictOldest(): void {
    const size = this.sizeAt(0);
    this.#countEvicted(size, this.#seqs[this.#chunkHead] ?? 0);
    this.#chunkHead = (this.#chunkHead + 1) % this.#seqs.length;
    this.#byteHead = this.#bytes.length === 0 ? 0 : (this.#byteHead + size) % this.#bytes.length;
    this.#count -= 1;
  }

  #countEvicted(size: number, seq: number): void {
    this.#evicted.bytes += size;
    this.#evicted.chunks += 1;
    this.#evicted.throughSeq = seq;
  }

  #makeRoom(size: number): void {
    const needed = this.retainedBytes + size;
    if (needed > this.#bytes.length) {
      this.#resizeBytes(grown(this.#bytes.length, needed, FIRST_BYTES, this.#limits.bytes));
    }
    if (this.#count + 1 > this.#seqs.length) {
      this.#resizeChunks(grown(this.#seqs.length, this.#count + 1, FIRST_CHUNKS, this.#limits.chunks));
    }
  }

  #resizeBytes(capacity: number): void {
    const bytes = new Uint8Array(capacity);
    const untilWrap = Math.min(this.retainedBytes, this.#bytes.length - this.#byteHead);
    bytes.set(this.#bytes.subarray(this.#byteHead, this.#byteHead + untilWrap));
    bytes.set(this.#bytes.subarray(0, this.retainedBytes - untilWrap), untilWrap);
    this.#bytes = bytes;
    this.#byteHead = 0;
  }

  #resizeChunks(capacity: number): void {
    const seqs = new Float64Array(capacity);
    const starts = new Uint32Array(capacity);
    const streams = new Uint8Array(capacity);
    for (let index = 0; index < this.#count; index++) {
      const slot = this.#slot(index);
      seqs[index] = this.#seqs[slot] ?? 0;
      starts[index] = this.#starts[slot] ?? 0;
      streams[index] = this.#streams[slot] ?? 0;
    }
    this.#seqs = seqs;
    this.#starts = starts;
    this.#streams = streams;
    this.#chunkHead = 0;
  }

  #copyIn(bytes: Uint8Array): void {
    if (bytes.byteLength === 0) {
      return;
    }
    const start = (this.#byteHead + this.retainedBytes) % this.#bytes.length;
    const untilWrap = Math.min(bytes.byteLength, this.#bytes.length - start);
    this.#bytes.set(bytes.subarray(0, untilWrap), start);
    this.#bytes.set(bytes.subarray(untilWrap), 0);
  }

  #copyOut(offset: number, size: number): Uint8Array {
    const copy = new Uint8Array(size);
    if (size > 0) {
      const start = (this.#byteHead + offset) % this.#bytes.length;
      const untilWrap = Math.min(size, this.#bytes.length - start);
      copy.set(this.#bytes.subarray(start, start + untilWrap));
      copy.set(this.#bytes.subarray(0, size - untilWrap), untilWrap);
    }
    return copy;
  }
}

function grown(capacity: number, needed: number, first: number, limit: number): number {
  let next = Math.max(capacity, first);
  while (next < needed) {
    next *= 2;
  }
  return Math.min(next, limit);
}
