import { readFileSync } from 'node:fs';

import { forEachPid, readRow, type ProcessRow } from './processTable.js';
import { CAN_FIND_MARKS, markIn } from './sessionMark.js';
import { restingAnswer } from '../sharedAnswer.js';

const shared = restingAnswer(lookForMarks);

/**
 * The processes that carry a mark, as they are now or a moment later. It misses processes that have cleared or
 * overwritten their variables, or that belong to another user. Calls at the same time share one look.
 */
export async function processesMarked(mark: string): Promise<readonly ProcessRow[]> {
  return (await allMarked()).get(mark) ?? [];
}

/** The same for all marks, also those of other programs. */
export function allMarked(): Promise<ReadonlyMap<string, readonly ProcessRow[]>> {
  return shared.get();
}

/** The marked processes of this machine, by their mark. */
async function lookForMarks(): Promise<ReadonlyMap<string, readonly ProcessRow[]>> {
  const found = new Map<string, ProcessRow[]>();
  if (CAN_FIND_MARKS) {
    await forEachPid((pid) => {
      const mark = markOf(pid);
      const row = mark === undefined ? undefined : readRow(pid);
      // Read again: the number may have been given to another process between the two reads.
      if (mark !== undefined && row !== undefined && markOf(pid) === mark) {
        found.set(mark, [...(found.get(mark) ?? []), row]);
      }
    });
  }
  return found;
}

/** The mark of a process; undefined also if its variables cannot be read. */
export function markOf(pid: number): string | undefined {
  try {
    return markIn(readFileSync(`/proc/${pid}/environ`));
  } catch {
    return undefined; // It has ended, or belongs to another user.
  }
}
