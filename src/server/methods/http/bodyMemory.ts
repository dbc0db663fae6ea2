import { bodyFailed } from './httpError.js';
import { MAX_BUFFERED_BODIES_BYTES, MAX_BUFFERED_BODY_BYTES } from './limits.js';

export interface BodyLimits {
  readonly one: number;
  readonly all: number;
}

/** The memory that the bodies of one connection take until they are answered. */
export class BodyMemory {
  readonly #limits: BodyLimits;
  #used = 0;

  constructor(limits: BodyLimits = { one: MAX_BUFFERED_BODY_BYTES, all: MAX_BUFFERED_BODIES_BYTES }) {
    this.#limits = limits;
  }

  /**
   * Reads a body to its end.
   *
   * @param use Makes of it what is answered; until then it counts.
   */
  async collect<T>(body: AsyncIterable<Uint8Array>, use: (bytes: Uint8Array) => Promise<T>): Promise<T> {
    const chunks: Uint8Array[] = [];
    let length = 0;
    try {
      for await (const chunk of body) {
        length += chunk.length;
        this.#used += chunk.length;
        this.#check(length);
        chunks.push(chunk);
      }
      return await use(Buffer.concat(chunks));
    } finally {
      this.#used -= length;
    }
  }

  #check(length: number): void {
    const { one, all } = this.#limits;
    if (length > one) {
      throw bodyFailed(`it is larger than ${one} bytes; ask for it with streamResponse`);
    }
    if (this.#used > all) {
      throw bodyFailed(`the bodies under way are larger than ${all} bytes; ask for fewer at once`);
    }
  }
}
