import { setImmediate as turn } from 'node:timers/promises';

/** Bytes in use, behind a full collection: the heap and what hangs on it. */
export async function memory(): Promise<number> {
  // Handles that are closed are let go of in turns of the event loop.
  for (let round = 0; round < 5; round++) {
    await turn();
    globalThis.gc?.();
  }
  const { heapUsed, external } = process.memoryUsage();
  return heapUsed + external;
}
