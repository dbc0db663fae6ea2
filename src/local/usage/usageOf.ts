import type { ProcessUsage, UsedPort } from '../../core/index.js';
import { canListProcesses } from '../marks/processTable.js';
import { type Costs, costsFromProc } from './procCosts.js';
import { costsFromPs } from './psCosts.js';

/** Whether this machine can measure what processes use. Windows can, but not by a program that is always installed. */
export function isUsageKnown(): boolean {
  return process.platform !== 'win32' && canListProcesses();
}

/**
 * The resources that some processes use together, without those that have ended meanwhile.
 *
 * @param portsOf Finds the ports at which they listen; if it fails, the answer has no ports.
 */
export async function usageOf(
  pids: readonly number[],
  portsOf: (pids: readonly number[]) => Promise<readonly UsedPort[]>,
): Promise<ProcessUsage> {
  const [costs, ports] = await Promise.all([
    process.platform === 'linux' ? costsFromProc(pids) : costsFromPs(pids),
    portsOf(pids).catch(() => undefined),
  ]);
  const sum = (what: keyof Costs) => costs.reduce((all, one) => all + one[what], 0);
  return {
    processes: costs.length,
    cpuSeconds: sum('cpuSeconds'),
    memoryBytes: sum('memoryBytes'),
    ...(ports !== undefined && { ports }),
  };
}
