import { type EndedReceipt, type HostVariables, type ProcessIdentity } from '../core/index.js';
import { membersOfSessions } from '../local/index.js';
import { readReceipts, receiptPlace } from './receipts/index.js';

/** A process that a session has left running. */
export interface Leftover extends ProcessIdentity {
  readonly command: string;
  /** Says which session that was; undefined if it has left none. */
  readonly receipt: EndedReceipt | undefined;
}

/**
 * The processes that belong to no session that lives any more: theirs has ended, as its receipt says, or its server has.
 * Those that were started last come first. Where no receipts are written, what a session has left is only found once its
 * server has ended. Found are those that carry a mark in their variables, which is so on Linux only.
 *
 * @param wallTime Now, in milliseconds since 1970.
 * @throws Error if the processes, or the receipts, cannot be read.
 */
export async function findLeftovers(env: HostVariables, wallTime: number): Promise<readonly Leftover[]> {
  const members = await membersOfSessions();
  const place = receiptPlace(env);
  const { ended } = place === undefined ? { ended: [] } : await readReceipts(place, wallTime);
  const receipts = new Map(ended.map((receipt) => [receipt.mark, receipt]));
  return members.flatMap(({ pid, startTime, command, mark, serverEnded }) => {
    const receipt = receipts.get(mark);
    return (receipt !== undefined || serverEnded) && pid !== process.pid
      ? [{ pid, startTime, command, receipt }]
      : [];
  });
}
