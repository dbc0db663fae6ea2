import { ByteQueue } from './byteQueue.js';
import type { Evicted, OutputChunk, OutputStream } from '../process/execEvents.js';

/** The most output that a log keeps. The log evicts its oldest chunks as soon as either bound is exceeded. */
export interface LogLimits {
  readonly bytes: number;
  readonly chunks: number;
}

const STREAMS: readonly OutputStream[] = ['stdout', 'stderr', 'pty'];
const FIRST_CHUNKS = 16;

/**
 * The newest output chunks of one process, packed: the bytes in a queue, and 13 bytes a chunk in a ring beside it. One
 * object a chunk would cost about 270 bytes, seventeen times the payload of a 16-byte chunk. The ring doubles on demand
 * up to its bound, so a silent process costs almost nothing.
 */
export class ChunkRing {
  readonly #limits: LogLimits;
  readonly #onEvict: ((seq: number, bytes: Uint8Array) => void) | undefined;

  readonly #bytes = new ByteQueue();

  #seqs = new Float64Array(0);
  /**
   * The position in all output so far at which each chunk starts, modulo 2^32. The retained output is always shorter
   * than that.
   */
  #starts = new Uint32Array(0);
  #streams = new Uint8Array(0);
  #chunkHead = 0;

  #count = 0;
  #totalBytes = 0;
  readonly #evicted = { bytes: 0, chunks: 0, throughSeq: 0 };

  /** @param onEvict Called with each chunk that is evicted, in order. */
  constructor(limits: LogLimits, onEvict?: (seq: number, bytes: Uint8Array) => void) {
    this.#limits = limits;
    this.#onEvict = onEvict;
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
      this.#bytes.allocatedBytes + this.#seqs.byteLength + this.#starts.byteLength + this.#streams.byteLength
    );
  }

  /**
   * Keeps a copy of `bytes` and evicts the oldest chunks to make room. A chunk above the bound counts as evicted at
   * once.
   */
  push(seq: number, stream: OutputStream, bytes: Uint8Array): void {
    if (bytes.byteLength > this.#limits.bytes || this.#limits.chunks < 1) {
      this.evictTo(0);
      this.#totalBytes += bytes.byteLength;
      this.#onEvict?.(seq, bytes);
      this.#countEvicted(bytes.byteLength, seq);
      return;
    }
    while (
      this.#count + 1 > this.#limits.chunks ||
      this.retainedBytes + bytes.byteLength > this.#limits.bytes
    ) {
      this.#evictOldest();
    }
    if (this.#count === this.#seqs.length) {
      this.#resizeChunks(grown(this.#count, this.#limits.chunks));
    }
    const slot = (this.#chunkHead + this.#count) % this.#seqs.length;
    this.#seqs[slot] = seq;
    this.#starts[slot] = this.#totalBytes % 2 ** 32;
    this.#streams[slot] = STREAMS.indexOf(stream);
    this.#bytes.append(this.#totalBytes, bytes);
    this.#count += 1;
    this.#totalBytes += bytes.byteLength;
  }

  /** A copy of the chunk at `index`; 0 is the oldest one that is retained. */
  at(index: number): OutputChunk {
    const slot = this.#slot(index);
    return {
      seq: this.#seqs[slot] ?? 0,
      stream: STREAMS[this.#streams[slot] ?? 0] ?? 'stdout',
      bytes: this.#bytes.copy(this.#evicted.bytes + this.#offset(index), this.sizeAt(index)),
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

  /** The index of the first retained chunk with a number above `seq`; {@link count} if no chunk has one. */
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

  /** Evicts the oldest chunks until at most `bytes` are retained. */
  evictTo(bytes: number): void {
    while (this.#count > 0 && this.retainedBytes > bytes) {
      this.#evictOldest();
    }
  }

  /** Frees the memory that is held in advance, for a log that will not grow any more. */
  compact(): void {
    this.#bytes.compact(this.#evicted.bytes);
    this.#resizeChunks(this.#count);
  }

  #slot(index: number): number {
    return (this.#chunkHead + index) % this.#seqs.length;
  }

  /** The position at which the chunk at `index` starts, counted from the first retained byte. */
  #offset(index: number): number {
    return ((this.#starts[this.#slot(index)] ?? 0) - this.#evicted.bytes) >>> 0;
  }

  #evictOldest(): void {
    const size = this.sizeAt(0);
    this.#onEvict?.(this.seqAt(0), this.#bytes.copy(this.#evicted.bytes, size));
    this.#countEvicted(size, this.#seqs[this.#chunkHead] ?? 0);
    this.#chunkHead = (this.#chunkHead + 1) % this.#seqs.length;
    this.#count -= 1;
    this.#bytes.dropBefore(this.#evicted.bytes);
  }

  #countEvicted(size: number, seq: number): void {
    this.#evicted.bytes += size;
    this.#evicted.chunks += 1;
    this.#evicted.throughSeq = seq;
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
}

function grown(capacity: number, limit: number): number {
  return Math.min(Math.max(capacity * 2, FIRST_CHUNKS), limit);
}
