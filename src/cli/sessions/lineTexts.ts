import type { OutputEvent } from '../../core/index.js';
import { plainText } from '../../terminal/index.js';

/** The longest line that is looked at as a whole, in bytes. */
const LINE_BYTES = 64 * 1024;

/** Makes plain lines of output that comes in pieces, for searches. */
export class LineTexts {
  #line = Buffer.alloc(0);

  /** @returns the lines of the piece: the first one from its beginning, the last one as far as it has come. */
  take({ stream, bytes }: OutputEvent): readonly string[] {
    this.#line = Buffer.concat([this.#line, bytes]);
    const text = plainText([{ stream, bytes: this.#line }]);
    const next = Math.max(this.#line.lastIndexOf(10) + 1, this.#line.byteLength - LINE_BYTES);
    this.#line = this.#line.subarray(next);
    return text.split('\n');
  }
}
