/**
 * Ends this program at the first signal that asks for it. The same signal again exits at once; the guard process then
 * cleans up. Another signal does not: programs that end this one often send several, one after the other.
 *
 * @param run Begins the end. It is called once.
 * @returns Ends the program without a signal. Does nothing if the end has begun.
 */
export function endOnSignal(run: () => void): () => void {
  let ending = false;
  const end = () => {
    if (!ending) {
      ending = true;
      run();
    }
  };
  for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) {
    process.once(signal, () => {
      process.once(signal, () => process.exit(0));
      end();
    });
  }
  return end;
}
