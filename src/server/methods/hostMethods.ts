import { type ExecBackend, Semaphore } from '../../core/index.js';
import { CONCURRENT_PROBES } from '../limits.js';
import { connectionState, type MethodHandlers } from './methodHandlers.js';

/** The methods `host/*`: what there is to know of the machine that the processes run on. */
export function hostMethods(backend: ExecBackend): MethodHandlers {
  const turnsOf = connectionState(() => new Semaphore(CONCURRENT_PROBES));
  return {
    'host/isListening': async ({ port }, context) => {
      const listening = await turnsOf(context).run(() => {
        // Nobody is left to hear it if the connection ended meanwhile.
        context.signal.throwIfAborted();
        return backend.isListening(port);
      });
      return { listening };
    },
  };
}
