import { OUTPUT_MAX_BYTES } from './outputWindow.js';
import { truncateEnds } from './truncateMiddle.js';

/**
 * The output that one request has collected, as text. Only the parts that can become part of the answer are kept. A
 * minute of flood needs no more memory than a line.
 */
export class CollectedOutput {
  readonly #decoder = new TextDecoder('utf-8', { ignoreBOM: true });
  readonly #encoder = new TextEncoder();
  readonly #head = new Uint8Array(OUTPUT_MAX_BYTES);
  /** Twice as long as the part that is kept, so that many chunks are added before that has to be moved. */
  readonly #tail = new Uint8Array(2 * OUTPUT_MAX_BYTES);
  #tailBytes = 0;
  #totalBytes = 0;

  /** Takes output. A character may come in several pieces. */
  push(bytes: Uint8Array): void {
    this.#take(this.#decoder.decode(bytes, { stream: true }));
  }

  /**
   * All output so far, without its middle if it is longer than {@link OUTPUT_MAX_BYTES}. Invalid and incomplete UTF-8
   * becomes U+FFFD. Nothing can be pushed afterwards.
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
