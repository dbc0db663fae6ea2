import type { Clock } from '../../core/index.js';

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
  const pass = () => abort.abort(signal?.reason);
  signal?.addEventListener('abort', pass);
  const timer = clock.after(limitMs, () => abort.abort(timeout()));
  let giveUp: () => void = () => undefined;
  // Whoever runs may be slow to notice.
  const aborted = new Promise<never>((_, reject) => {
    giveUp = () => reject(abort.signal.reason as Error);
    abort.signal.addEventListener('abort', giveUp);
  });
  try {
    return await Promise.race([run(abort.signal), aborted]);
  } finally {
    timer.dispose();
    signal?.removeEventListener('abort', pass);
    abort.signal.removeEventListener('abort', giveUp);
  }
}
