import { type Clock, delay, processExists } from '../core/index.js';

/** The time for a server to end, with all that runs there: more than the ladder of its own end takes. */
const END_LIMIT_MS = 30_000;
const LOOK_MS = 50;

/**
 * Ends session servers, with their sessions.
 *
 * @param pids The numbers of their processes.
 * @returns whether all have ended in time.
 */
export async function endServers(pids: readonly number[], clock: Clock): Promise<boolean> {
  pids.filter(processExists).forEach((pid) => process.kill(pid, 'SIGTERM'));
  const limit = clock.now() + END_LIMIT_MS;
  while (pids.some(processExists)) {
    if (clock.now() > limit) {
      return false;
    }
    await delay(clock, LOOK_MS);
  }
  return true;
}
