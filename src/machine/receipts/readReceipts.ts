import { type EndedReceipt, hasEnded, type HostVariables } from '../../core/index.js';
import { MOST_RECEIPTS } from './removeReceipts.js';
import { readRuns } from './readRuns.js';
import { receiptPlace, type ReceiptPlace } from './receiptPlace.js';

/**
 * The receipts of sessions that have ended, the newest end first. A session without an end, whose server is gone, is
 * lost since the last sign of life of that server.
 *
 * @param wallTime Now, in milliseconds since 1970.
 * @param skipped Called with the reason if files are skipped that no program of ours has written.
 * @throws Error if a file is there and cannot be read.
 */
export async function readReceipts(
  place: ReceiptPlace,
  wallTime: number,
  skipped?: (reason: string) => void,
): Promise<readonly EndedReceipt[]> {
  const runs = await readRuns(place, wallTime, skipped);
  const ended = runs.flatMap(({ parts }) => parts).flatMap(({ receipts }) => receipts.filter(hasEnded));
  return ended.sort((one, other) => other.end.at - one.end.at).slice(0, MOST_RECEIPTS);
}

/**
 * The same for this user; empty without a place for receipts.
 *
 * @throws Error if they cannot be read.
 */
export async function readOwnReceipts(
  env: HostVariables = process.env,
  wallTime = Date.now(),
  skipped?: (reason: string) => void,
): Promise<readonly EndedReceipt[]> {
  const place = receiptPlace(env);
  return place === undefined ? [] : readReceipts(place, wallTime, skipped);
}
