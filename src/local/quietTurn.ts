/**
 * Waits until what can be read without waiting has been read: until a turn of the event loop brought nothing, or
 * `done` says so. One poll of libuv reads every readable stream, up to 2 MiB of each.
 *
 * @param readSoFar Grows with everything that was read.
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

/** A descendant may write for ever, and the exit must be told some time. */
const MAX_TURNS = 64;

/** The first callback may come from the very turn that we are in; between it and the second there is a whole poll. */
function pollOnce(): Promise<void> {
  return new Promise((resolve) => {
    setImmediate(() => setImmediate(resolve));
  });
}
