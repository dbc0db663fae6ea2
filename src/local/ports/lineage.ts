import { markOf } from '../markedProcesses.js';
import { readRow } from '../processTable.js';

/** What tells to whom a process belongs. */
export interface Kin {
  readonly pid: number;
  readonly sid: number;
  readonly mark: string | undefined;
}

/** Deeper than any tree of processes, and an end should the numbers go round meanwhile. */
const MOST_ANCESTORS = 64;

/** A process and its ancestors, itself first, without the first process of the machine. */
export function lineageOf(pid: number): readonly Kin[] {
  const lineage: Kin[] = [];
  let next = pid;
  while (next > 1 && lineage.length < MOST_ANCESTORS) {
    const row = readRow(next);
    if (row === undefined) {
      break;
    }
    lineage.push({ pid: row.pid, sid: row.sid, mark: markOf(row.pid) });
    next = row.ppid;
  }
  return lineage;
}
