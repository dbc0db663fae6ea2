import { type ProcessMetadata } from '../metadata.js';
import { isRecord } from '../unknownValues.js';

/** The key of the metadata under which a process says that its receipt is not written. */
export const UNWRITTEN_KEY = 'receiptUnwritten';

/** The longest reason that is shown, in characters. */
const REASON_LENGTH = 1_000;

/** Why the receipt of a session is not written, as long as it is not. */
export interface UnwrittenReceipt {
  readonly reason: string;
  /** Whether it is the first one after one that was written. */
  readonly first: boolean;
}

/** What the metadata of a process says of its receipt: undefined if that is written, or none is wanted. */
export function unwrittenReceipt(metadata: ProcessMetadata): UnwrittenReceipt | undefined {
  const said = metadata[UNWRITTEN_KEY];
  const { reason, first } = isRecord(said) ? said : {};
  return typeof reason === 'string'
    ? { reason: reason.slice(0, REASON_LENGTH), first: first === true }
    : undefined;
}
