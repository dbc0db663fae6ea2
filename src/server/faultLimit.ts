import type { Clock } from '../core/index.js';

/** The number of unexpected faults within a minute that this program survives. */
const MOST_FAULTS = 3;
const MINUTE_MS = 60_000;

/**
 * Logs unexpected faults. A fault in the request of one client is no reason to end the processes of all others. But a
 * program with one fault after the other is of no use.
 *
 * @param end Ends this program in order. Called once, at the first fault too many.
 */
export function faultLimit(
  clock: Clock,
  log: (line: string) => void,
  end: () => void,
): (error: Error) => void {
  let times: readonly number[] = [];
  return (error) => {
    if (times.length > MOST_FAULTS) {
      return;
    }
    log(`Unexpected fault: ${error.stack ?? error.message}`);
    const now = clock.now();
    times = [...times.filter((time) => now - time < MINUTE_MS), now];
    if (times.length > MOST_FAULTS) {
      log(`This program ends: ${times.length} unexpected faults within a minute.`);
      end();
    }
  };
}
