import type { MissingOutput } from '../process/execEvents.js';

/** The number of ranges that are remembered singly; each is a cut or a stall. Older ones count only in the total. */
const REMEMBERED = 1_000;

/** The output that never reached a log, by the numbers that it would have had. */
export class MissingRanges {
  /** Oldest first. */
  #ranges: readonly MissingOutput[] = [];
  #forgottenThrough = 0;
  #chunks = 0;
  #bytes = 0;

  /** The total. `bytes` counts only the chunks whose size is known. */
  get total(): { readonly chunks: number; readonly bytes: number } {
    return { chunks: this.#chunks, bytes: this.#bytes };
  }

  /** @param range Must begin after all ranges that were added before. */
  add(range: MissingOutput): void {
    this.#chunks += range.chunks;
    this.#bytes += range.bytes ?? 0;
    if (this.#ranges.length === REMEMBERED) {
      this.#forgottenThrough = this.#ranges[0]?.throughSeq ?? 0;
    }
    this.#ranges = [...this.#ranges, range].slice(-REMEMBERED);
  }

  /** The remembered ranges that overlap the numbers above `afterSeq` and up to `throughSeq`, oldest first. */
  within(afterSeq: number, throughSeq: number): readonly MissingOutput[] {
    return this.#ranges.filter((range) => range.fromSeq <= throughSeq && range.throughSeq > afterSeq);
  }

  /** The number of bytes that are missing above `afterSeq` and up to `throughSeq`; undefined if unknown. */
  bytesWithin(afterSeq: number, throughSeq: number): number | undefined {
    if (afterSeq < this.#forgottenThrough) {
      return undefined;
    }
    return this.within(afterSeq, throughSeq).reduce<number | undefined>((sum, range) => {
      const isWhole = range.fromSeq > afterSeq && range.throughSeq <= throughSeq;
      const bytes = isWhole ? range.bytes : undefined;
      return sum === undefined || bytes === undefined ? undefined : sum + bytes;
    }, 0);
  }
}
