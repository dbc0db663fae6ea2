import { setImmediate as turn } from 'node:timers/promises';

/** Bytes in use after a full collection: the heap and the memory that it refers to. */
export async function memory(): Promise<number> {
  // Closed handles are released in turns of the event loop.
  for (let round = 0; round < 5; round++) {
    await turn();
    globalThis.gc?.();
  }
  const { heapUsed, external } = process.memoryUsage();
  return heapUsed + external;
}
