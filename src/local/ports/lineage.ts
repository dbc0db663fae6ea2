import { markOf } from '../marks/markedProcesses.js';
import { readRow } from '../marks/processTable.js';

/** The facts that tell to which session a process belongs. */
export interface Kin {
  readonly pid: number;
  readonly sid: number;
  readonly mark: string | undefined;
}

/** More than any tree of processes has. Ends the walk if numbers are reused meanwhile. */
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
