import type { ExecBackend } from '../../core/index.js';

/** The way to a backend that can be lost: it is connected anew then. */
export interface LastingBackend<B extends ExecBackend> {
  /**
   * A backend that is connected or reconnecting. If the last one has been lost for good, it is a new one.
   *
   * @throws what connecting throws.
   */
  backend(): Promise<B>;
  /** The last one, if there is one. Never rejects. */
  last(): Promise<B | undefined>;
}

/**
 * @param connect One attempt at a time serves all callers.
 * @param over Aborted when there is to be no further one.
 */
export function lastingBackend<B extends ExecBackend>(
  connect: () => Promise<B>,
  over: AbortSignal,
): LastingBackend<B> {
  let last: Promise<B> | undefined;
  const backend = async (): Promise<B> => {
    last ??= connect();
    const mine = last;
    let found: B | undefined;
    try {
      found = await mine;
    } finally {
      if (last === mine && (found === undefined || found.connection.kind === 'lost')) {
        last = undefined;
      }
    }
    return found.connection.kind === 'lost' && !over.aborted ? backend() : found;
  };
  return { backend, last: async () => last?.catch(() => undefined) };
}
