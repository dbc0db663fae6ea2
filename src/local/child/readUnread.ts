import type { ProcessLog } from '../../core/index.js';
import type { Child } from './child.js';
import { untilQuiet } from './quietTurn.js';

/** An upper bound of what can be unread: two full pipes, or a terminal, hold less. */
const UNREAD_BYTES = 256 * 1024;

/** Reads what killed processes had written: a slow reader may have kept us from that. */
export async function readUnread(log: ProcessLog, child: Child | undefined): Promise<void> {
  const before = log.stats.bytes;
  const read = () => log.stats.bytes - before;
  child?.setPaused(false);
  child?.setAwaited?.(true);
  // The remaining holders of the output may write without end.
  await untilQuiet(read, () => log.ended || read() > UNREAD_BYTES);
}
