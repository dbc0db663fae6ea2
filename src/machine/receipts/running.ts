import type { Receipt } from '../../core/index.js';
import { readKnown } from './readReceipts.js';
import type { ReceiptPlace } from './receiptPlace.js';
import { readRuns } from './serverRun.js';

/**
 * The sessions that run, as far as their servers have written that down, the oldest first.
 *
 * @param wallTime Now, in milliseconds since 1970.
 * @throws Error if the receipts cannot be read.
 */
export async function readRunning(place: ReceiptPlace, wallTime: number): Promise<readonly Receipt[]> {
  const { known } = await readKnown(place);
  const runs = await readRuns(place, wallTime);
  return known
    .filter(({ receipt, run }) => receipt.end === undefined && runs.get(run)?.runs === true)
    .map(({ receipt }) => receipt);
}
