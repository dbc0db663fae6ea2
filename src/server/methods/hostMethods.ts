import { type ExecBackend, Semaphore } from '../../core/index.js';
import { CONCURRENT_PROBES } from '../limits.js';
import { connectionState, type MethodHandlers } from './methodHandlers.js';

/** The methods `host/*`: facts about the machine on which the processes run. */
export function hostMethods(backend: ExecBackend): MethodHandlers {
  const turnsOf = connectionState(() => new Semaphore(CONCURRENT_PROBES));
  return {
    'host/isListening': async ({ port }, context) => {
      const listening = await turnsOf(context).run(() => {
        // If the connection has ended meanwhile, nobody gets the answer.
        context.signal.throwIfAborted();
        return backend.isListening(port);
      });
      return { listening };
    },
  };
}
