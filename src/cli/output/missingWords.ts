import type { MissingEnd, MissingOutput } from '../../core/index.js';

/** Words for output that is missing at the beginning, or in the middle. */
export function missingWords({ fromSeq, bytes, atLeast }: MissingOutput): string {
  if (bytes === undefined) {
    return 'some of the output is no longer kept.';
  }
  return `${atLeast === true ? 'at least ' : ''}${fromSeq > 1 ? '' : 'the first '}${bytes} bytes are no longer kept.`;
}

/** Words for output that is missing at the end of an output on disk. */
export function missingEndWords({ bytes, atLeast }: MissingEnd): string {
  return bytes === 0
    ? 'the end of the output may be missing: its server ended before it could say that all is on disk.'
    : `${atLeast ? 'at least ' : ''}the last ${bytes} bytes are not on disk.`;
}
