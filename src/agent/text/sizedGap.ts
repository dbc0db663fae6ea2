import type { Evicted, GapEvent } from '../../core/index.js';

/** A gap in the output. */
export interface TextGap extends GapEvent {
  /** About its size in bytes, where that is not known exactly. */
  readonly aboutBytes?: number;
}

/** The size of a gap as well as it is known; undefined if nothing is known. */
export function sizeOfGap({ bytes, aboutBytes }: TextGap): number | undefined {
  return bytes ?? aboutBytes;
}

/** Output that is gone in several gaps together. The size is absent if that of one of them is unknown. */
export interface Gone {
  readonly bytes?: number;
}

export function withGap(gone: Gone | undefined, gap: TextGap): Gone {
  const size = sizeOfGap(gap);
  const before = gone === undefined ? 0 : gone.bytes;
  return size === undefined || before === undefined ? {} : { bytes: before + size };
}

/**
 * A gap with a size. A log counts all the bytes that it has let go, but not where each chunk was. The size of a part is
 * estimated by the number of its chunks.
 */
export function sizedGap(gap: GapEvent, evicted: Evicted | undefined): TextGap {
  if (gap.bytes !== undefined || evicted === undefined || gap.throughSeq > evicted.throughSeq) {
    return gap;
  }
  const share = (gap.throughSeq - gap.fromSeq + 1) / evicted.throughSeq;
  return { ...gap, aboutBytes: twoDigits(evicted.bytes * share) };
}

/** The number with two digits: the estimate is worth no more. */
function twoDigits(bytes: number): number {
  return Number(Math.max(1, bytes).toPrecision(2));
}
