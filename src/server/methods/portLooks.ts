import { Semaphore } from '../../core/index.js';
import { CONCURRENT_PROBES } from '../limits.js';
import { type ConnectionContext, connectionState } from './methodHandlers.js';

const turnsOf = connectionState(() => new Semaphore(CONCURRENT_PROBES));

/** Looks at ports, so many at a time for one connection. */
export function lookAtPort<T>(context: ConnectionContext, look: () => Promise<T>): Promise<T> {
  return turnsOf(context).run(() => {
    // If the connection has ended meanwhile, no client gets the answer.
    context.signal.throwIfAborted();
    return look();
  });
}
