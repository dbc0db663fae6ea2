import type { ProcessMetadata } from '../metadata.js';

/** The metadata key for the reason why a process's receipt is not written. */
export const UNWRITTEN_KEY = 'receiptUnwritten';

/** The longest reason that is shown, in characters. */
const REASON_LENGTH = 1_000;

/** The reason why a process's receipt is not written; undefined if it is written, or not wanted. */
export function unwrittenReceipt(metadata: ProcessMetadata): string | undefined {
  const reason = metadata[UNWRITTEN_KEY];
  return typeof reason === 'string' ? reason.slice(0, REASON_LENGTH) : undefined;
}
