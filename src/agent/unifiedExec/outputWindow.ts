/** The most output that is kept between two requests, and that one request answers with, in bytes. */
export const OUTPUT_MAX_BYTES = 128 * 1024;

/**
 * The newest output of a session that no request has collected yet. Output beyond {@link OUTPUT_MAX_BYTES} is dropped
 * from the beginning, to the byte: whole chunks first, then a part of the oldest that is left. As in the reference, no
 * note reports that.
 */
export class OutputWindow {
  /** Oldest first. Chunks before the index `#first` have been dropped. */
  #chunks: Uint8Array[] = [];
  #first = 0;
  #totalBytes = 0;

  get totalBytes(): number {
    return this.#totalBytes;
  }

  get chunks(): readonly Uint8Array[] {
    return this.#chunks.slice(this.#first);
  }

  /** Keeps a copy, so that a small piece of a large buffer does not hold all of it. */
  push(bytes: Uint8Array): void {
    if (bytes.byteLength === 0) {
      return;
    }
    this.#chunks.push(bytes.slice(-OUTPUT_MAX_BYTES));
    this.#totalBytes += Math.min(bytes.byteLength, OUTPUT_MAX_BYTES);
    this.#dropOldest(this.#totalBytes - OUTPUT_MAX_BYTES);
  }

  /** Removes and returns everything. */
  drain(): readonly Uint8Array[] {
    const drained = this.chunks;
    this.#chunks = [];
    this.#first = 0;
    this.#totalBytes = 0;
    return drained;
  }

  #dropOldest(bytes: number): void {
    let excess = bytes;
    while (excess > 0) {
      const front = this.#chunks[this.#first];
      if (front === undefined) {
        break;
      }
      const dropped = Math.min(excess, front.byteLength);
      if (dropped < front.byteLength) {
        this.#chunks[this.#first] = front.subarray(dropped);
      } else {
        this.#first += 1;
      }
      excess -= dropped;
      this.#totalBytes -= dropped;
    }
    // Cut off in bulk: a shift() for every chunk would move the array each time.
    if (this.#first > 64 && this.#first * 2 > this.#chunks.length) {
      this.#chunks = this.#chunks.slice(this.#first);
      this.#first = 0;
    }
  }
}
