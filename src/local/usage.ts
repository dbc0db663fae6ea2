import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';

import { ExecError, type ProcessUsage, type UsedPort } from '../core/index.js';
import { canListProcesses, listProcesses, readStat } from './marks/processTable.js';
import { processesMarked } from './marks/markedProcesses.js';
import { membersOf, type SessionIdentity } from './stop/posixSession.js';

/**
 * The processes of a POSIX session, and those that have its mark.
 *
 * @throws ExecError `noProcessTable` if the processes cannot be listed now.
 */
export async function belongingsOf(
  identity: SessionIdentity,
  mark: string | undefined,
): Promise<readonly number[]> {
  try {
    const [rows, marked] = await Promise.all([
      listProcesses(),
      mark === undefined ? [] : processesMarked(mark),
    ]);
    return [...new Set([...membersOf(identity, rows), ...marked].map(({ pid }) => pid))];
  } catch {
    throw new ExecError({ kind: 'noProcessTable' });
  }
}

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

/** The costs of one process, from Linux' /proc; undefined if it has ended. */
export function costsOf(pid: number): Costs | undefined {
  const fields = readStat(pid)?.fields;
  if (fields === undefined) {
    return undefined;
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

/** For macOS and others: the costs of the processes that still exist. Their `ps` does not include ended children. */
export function costsFromPs(pids: readonly number[]): Promise<readonly Costs[]> {
  return new Promise((resolve, reject) => {
    const options = { env: { ...process.env, LC_ALL: 'C' } };
    execFile('ps', ['-o', 'time=,rss=', '-p', pids.join(',')], options, (error, stdout) => {
      // It exits with 1 if all of the processes have ended.
      if (error === null || error.code === 1) {
        resolve(parseCosts(stdout));
      } else {
        reject(new Error(error.message, { cause: error }));
      }
    });
  });
}

/** Days, hours, minutes and seconds; the larger units only if needed: `0:00.52`, `1-02:03:04`. */
const LINE = /^\s*(?:(\d+)-)?(?:(\d+):)?(\d+):(\d+(?:[.,]\d+)?)\s+(\d+)\s*$/;

/** Exported for its test. */
export function parseCosts(text: string): readonly Costs[] {
  return text.split('\n').flatMap((line) => {
    const match = LINE.exec(line);
    if (match === null) {
      return [];
    }
    const [, days = '0', hours = '0', minutes = '0', seconds = '0', kibibytes = '0'] = match;
    const whole = (Number(days) * 24 + Number(hours)) * 3600 + Number(minutes) * 60;
    return [{ cpuSeconds: whole + Number(seconds.replace(',', '.')), memoryBytes: Number(kibibytes) * 1024 }];
  });
}
