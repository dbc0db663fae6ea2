import type { Clock } from '../core/index.js';

/**
 * Ends this program at the first signal that asks for it. The same signal again exits at once, and the guard process
 * cleans up. Another signal changes nothing: programs that end this one often send several, one after the other.
 *
 * @param run Begins the end, with the signal that asks for it, if one does. It is called once.
 * @returns Ends the program without a signal. Does nothing if the end has begun.
 */
export function endOnSignal(run: (signal?: NodeJS.Signals) => void): () => void {
  let ending = false;
  const end = (signal?: NodeJS.Signals) => {
    if (!ending) {
      ending = true;
      run(signal);
    }
  };
  for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) {
    let again = false;
    // One listener serves both cases: a signal that arrives while no listener is set, even for a moment, is lost.
    process.on(signal, () => {
      if (again) {
        process.exit(0);
      }
      again = true;
      end(signal);
    });
  }
  return () => end();
}

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
