import { type PortListener, type ProcessUsage, Semaphore } from '../../core/index.js';
import { CONCURRENT_PROBES } from '../limits.js';
import { type ConnectionContext, connectionState } from './methodHandlers.js';
import type { ListenerDescription, ResultOf } from '../../protocol/index.js';

const turnsOf = connectionState(() => new Semaphore(CONCURRENT_PROBES));

/** Looks at ports, so many at a time for one connection. */
export function lookAtPort<T>(context: ConnectionContext, look: () => Promise<T>): Promise<T> {
  return turnsOf(context).run(() => {
    // If the connection has ended meanwhile, no client gets the answer.
    context.signal.throwIfAborted();
    return look();
  });
}

/**
 * Describes a listener for `process/listeners`.
 *
 * @param names The client's own names for processes by their handles.
 */
export function describeListener(
  { addresses, pid, command, user, own, processId: handle, later }: PortListener,
  names: ReadonlyMap<string, string>,
): ListenerDescription {
  const processId = handle === undefined ? undefined : names.get(handle);
  return {
    addresses: [...addresses],
    own,
    ...(pid !== undefined && { pid }),
    ...(command !== undefined && { command }),
    ...(user !== undefined && { user }),
    ...(handle !== undefined && { handle }),
    ...(processId !== undefined && { processId }),
    ...(later !== undefined && { later }),
  };
}

/** The answer of `process/usage`. */
export function usageAnswer(usage: ProcessUsage | undefined): ResultOf<'process/usage'> {
  if (usage === undefined) {
    return { usage: null };
  }
  const { ports, ...sums } = usage;
  const plain = ports?.map(({ port, addresses }) => ({ port, addresses: [...addresses] }));
  return { usage: { ...sums, ...(plain !== undefined && { ports: plain }) } };
}
