/**
 * Waits until everything that can be read without waiting has been read: until a turn of the event loop brings nothing,
 * or `done` says so. One poll of libuv reads every readable stream, up to 2 MiB of each.
 *
 * @param readSoFar A count that grows with everything that is read.
 */
export async function untilQuiet(readSoFar: () => number, done: () => boolean): Promise<void> {
  for (let turn = 0; turn < MAX_TURNS && !done(); turn++) {
    const before = readSoFar();
    await pollOnce();
    if (readSoFar() === before) {
      return;
    }
  }
}

/** An upper bound: a descendant may write for ever, and the exit must be reported at some point. */
const MAX_TURNS = 64;

/** The first callback may belong to the current turn; between it and the second there is a whole poll. */
function pollOnce(): Promise<void> {
  return new Promise((resolve) => {
    setImmediate(() => setImmediate(resolve));
  });
}
