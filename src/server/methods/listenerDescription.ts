import type { PortListener } from '../../core/index.js';
import type { ListenerDescription } from '../../protocol/index.js';

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
