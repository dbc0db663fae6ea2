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
