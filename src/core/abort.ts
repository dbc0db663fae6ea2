import { type Disposable, nothingToDispose } from './events.js';

/**
 * Calls a listener when a signal is aborted; immediately if it is aborted already. Disposing the result removes the
 * listener; that is necessary if the signal outlives it.
 *
 * @param signal Without one the listener is never called.
 */
export function onAbort(signal: AbortSignal | undefined, listener: () => void): Disposable {
  if (signal === undefined) {
    return nothingToDispose;
  }
  if (signal.aborted) {
    listener();
    return nothingToDispose;
  }
  signal.addEventListener('abort', listener);
  return { dispose: () => signal.removeEventListener('abort', listener) };
}

/**
 * Waits for some work until a signal is aborted. The work itself continues after that; its later rejection is ignored.
 *
 * @param reason Makes the error of the abort; by default it is the reason of the signal.
 * @throws the error of the work or of the abort.
 */
export function untilAborted<T>(
  work: Promise<T>,
  signal: AbortSignal | undefined,
  reason: () => Error = () => signal?.reason as Error,
): Promise<T> {
  return new Promise<T>((resolve, reject) => {
    const listening = onAbort(signal, () => reject(reason()));
    void work.then(resolve, reject).finally(() => listening.dispose());
  });
}
