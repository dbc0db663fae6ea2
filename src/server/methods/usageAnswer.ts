import type { ProcessUsage } from '../../core/index.js';
import type { ResultOf } from '../../protocol/index.js';

/** The answer of `process/usage`. */
export function usageAnswer(usage: ProcessUsage | undefined): ResultOf<'process/usage'> {
  if (usage === undefined) {
    return { usage: null };
  }
  const { ports, ...sums } = usage;
  const plain = ports?.map(({ port, addresses }) => ({ port, addresses: [...addresses] }));
  return { usage: { ...sums, ...(plain !== undefined && { ports: plain }) } };
}
