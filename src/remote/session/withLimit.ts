import { type Clock, nothingToDispose, onAbort, untilAborted } from '../../core/index.js';

/**
 * Runs an operation that can be aborted, for a limited time.
 *
 * @param options.timeout Makes the error of the limit.
 * @throws the error of `run` or of the limit; the reason of `signal`.
 */
export async function withLimit<T>(
  options: {
    readonly clock: Clock;
    /** Without it, only the signal ends the operation. */
    readonly limitMs: number | undefined;
    readonly signal?: AbortSignal | undefined;
    readonly timeout: () => Error;
  },
  run: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const { clock, limitMs, signal, timeout } = options;
  signal?.throwIfAborted();
  const abort = new AbortController();
  const caller = onAbort(signal, () => abort.abort(signal?.reason));
  const timer = limitMs === undefined ? nothingToDispose : clock.after(limitMs, () => abort.abort(timeout()));
  try {
    // `run` may notice the abort late.
    return await untilAborted(run(abort.signal), abort.signal);
  } finally {
    timer.dispose();
    caller.dispose();
  }
}
