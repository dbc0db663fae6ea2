import { type Clock, onAbort, untilAborted } from '../../core/index.js';

/**
 * Runs something that can be aborted, for so long at most.
 *
 * @param timeout Makes the error of the limit.
 * @throws what `run` throws; the error of the limit; the reason of `signal`.
 */
export async function withLimit<T>(
  options: {
    readonly clock: Clock;
    readonly limitMs: number;
    readonly signal?: AbortSignal | undefined;
    readonly timeout: () => Error;
  },
  run: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const { clock, limitMs, signal, timeout } = options;
  signal?.throwIfAborted();
  const abort = new AbortController();
  const caller = onAbort(signal, () => abort.abort(signal?.reason));
  const timer = clock.after(limitMs, () => abort.abort(timeout()));
  try {
    // Whoever runs may be slow to notice.
    return await untilAborted(run(abort.signal), abort.signal);
  } finally {
    timer.dispose();
    caller.dispose();
  }
}
