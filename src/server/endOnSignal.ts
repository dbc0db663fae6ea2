/**
 * Ends this program at the first signal that asks for it. Another one exits at once; the guard process then cleans up.
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
    process.on(signal, () => {
      if (ending) {
        process.exit(0);
      }
      end();
    });
  }
  return end;
}
