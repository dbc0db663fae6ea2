/**
 * Runs what may only be heard of behind the answer that is just being made: what a handler returns is sent within the
 * same turn of the event loop.
 */
export function afterAnswer(run: () => void): void {
  setImmediate(run);
}
