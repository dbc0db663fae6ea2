/** Enough for every chain of callbacks and promises in the tests. */
const TURNS = 20;

/** Lets everything happen that waits for no time. */
export async function settle(): Promise<void> {
  for (let turn = 0; turn < TURNS; turn += 1) {
    await new Promise((resolve) => setImmediate(resolve));
  }
}
