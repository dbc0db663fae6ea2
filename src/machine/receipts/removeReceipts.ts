import { receiptLine } from '../../core/index.js';
import { LineAppender } from './appendLine.js';
import type { ReceiptPlace } from './receiptPlace.js';

/**
 * Removes receipts by their ids. What was in them goes with the next compaction.
 *
 * @throws Error if that cannot be written.
 */
export async function removeReceipts(place: ReceiptPlace, ids: readonly string[]): Promise<void> {
  const appender = new LineAppender(place.file);
  try {
    for (const id of ids) {
      await appender.append(receiptLine({ kind: 'removed', id }));
    }
  } finally {
    await appender.close();
  }
}
