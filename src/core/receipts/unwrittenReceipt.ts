import type { ProcessMetadata } from '../process/metadata.js';

/** The key of the metadata under which a process says why its receipt is not written. */
export const UNWRITTEN_KEY = 'receiptUnwritten';

/** The longest reason that is shown, in characters. */
const REASON_LENGTH = 1_000;

/** Why the receipt of a process is not written; undefined if it is, or none is wanted. */
export function unwrittenReceipt(metadata: ProcessMetadata): string | undefined {
  const reason = metadata[UNWRITTEN_KEY];
  return typeof reason === 'string' ? reason.slice(0, REASON_LENGTH) : undefined;
}
