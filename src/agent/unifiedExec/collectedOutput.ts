import { OUTPUT_MAX_BYTES } from './outputWindow.js';
import { truncateEnds } from './truncateMiddle.js';

/**
 * The output that one request has collected, as text. Only what can become part of the answer is kept, so that a
 * minute of flood needs no more memory than a line.
 */
export class CollectedOutput {
  readonly #decoder = new TextDecoder('utf-8', { ignoreBOM: true });
  readonly #encoder = new TextEncoder();
  readonly #head = new Uint8Array(OUTPUT_MAX_BYTES);
  /** Twice as long as what is kept, so that it is moved once for many chunks. */
  readonly #tail = new Uint8Array(2 * OUTPUT_MAX_BYTES);
  #tailBytes = 0;
  #totalBytes = 0;

  /** Takes output, of which a character may come in several pieces. */
  push(bytes: Uint8Array): void {
    this.#take(this.#decoder.decode(bytes, { stream: true }));
  }

  /**
   * Everything so far, its middle left out if it is more than {@link OUTPUT_MAX_BYTES}. What is no UTF-8, or has not
   * come whole, becomes U+FFFD. Nothing can be pushed afterwards.
   */
  text(): string {
    this.#take(this.#decoder.decode());
    const { text } = truncateEnds(
      {
        head: this.#head.subarray(0, Math.min(this.#totalBytes, OUTPUT_MAX_BYTES)),
        tail: this.#tail.subarray(0, this.#tailBytes),
        totalBytes: this.#totalBytes,
      },
      OUTPUT_MAX_BYTES,
    );
    return text;
  }

  #take(text: string): void {
    const bytes = this.#encoder.encode(text);
    if (this.#totalBytes < OUTPUT_MAX_BYTES) {
      this.#head.set(bytes.subarray(0, OUTPUT_MAX_BYTES - this.#totalBytes), this.#totalBytes);
    }
    const newest = bytes.subarray(-OUTPUT_MAX_BYTES);
    if (this.#tailBytes + newest.byteLength > this.#tail.byteLength) {
      this.#tail.copyWithin(0, this.#tailBytes - OUTPUT_MAX_BYTES, this.#tailBytes);
      this.#tailBytes = OUTPUT_MAX_BYTES;
    }
    this.#tail.set(newest, this.#tailBytes);
    this.#tailBytes += newest.byteLength;
    this.#totalBytes += bytes.byteLength;
  }
}
