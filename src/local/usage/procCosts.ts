import { readFileSync } from 'node:fs';

import { readStat } from '../marks/processTable.js';

/** The resources that one process has used and uses. */
export interface Costs {
  readonly cpuSeconds: number;
  readonly memoryBytes: number;
}

/**
 * Linux gives times to programs in this unit, even if its own clock differs. Only Alpha and Itanium had another unit.
 */
const TICKS_PER_SECOND = 100;
/** The fields for the processor time, counted as in `readStat`: its own, and that of children it has waited for. */
const TIMES = { first: 11, count: 4 } as const;
const RESIDENT = /^VmRSS:\s*(\d+) kB$/m;

/** The costs of the processes that still exist, from Linux' /proc. */
export function costsFromProc(pids: readonly number[]): readonly Costs[] {
  return pids.flatMap((pid) => costsOf(pid) ?? []);
}

function costsOf(pid: number): Costs | undefined {
  const fields = readStat(pid)?.fields;
  if (fields === undefined) {
    return undefined; // It has ended since it was listed.
  }
  const ticks = fields
    .slice(TIMES.first, TIMES.first + TIMES.count)
    .reduce((all, field) => all + Number(field), 0);
  return { cpuSeconds: ticks / TICKS_PER_SECOND, memoryBytes: residentBytes(pid) };
}

/** The size of pages differs between machines, so the number of pages in `stat` would not do. */
function residentBytes(pid: number): number {
  try {
    return Number(RESIDENT.exec(readFileSync(`/proc/${pid}/status`, 'latin1'))?.[1] ?? 0) * 1024;
  } catch {
    return 0; // It has ended since its times were read.
  }
}
