import type { ProcessIdentity } from '../core/index.js';
import { commandName } from './commandName.js';
import { allMarked } from './markedProcesses.js';
import { startTimeOf } from './processTable.js';
import { holderOf } from './sessionMark.js';

/** A process that runs on without the server that its session was of. */
export interface LeftProcess extends ProcessIdentity {
  readonly command: string;
}

/**
 * The processes of this machine and user that sessions have left behind whose server has ended, of any program of ours.
 * Those that were started last come first. They are found by their mark; see `processesMarked` for those that are not. Empty where marks cannot be found.
 *
 * @throws Error if the processes cannot be listed.
 */
export async function leftByEndedServers(): Promise<readonly LeftProcess[]> {
  const marked = await allMarked();
  return [...marked]
    .filter(([mark]) => hasEnded(holderOf(mark)))
    .flatMap(([, rows]) => rows)
    .sort((one, other) => Number(other.startTime) - Number(one.startTime))
    .map((row) => ({ pid: row.pid, startTime: row.startTime, command: commandName(row) }));
}

function hasEnded(holder: ProcessIdentity | undefined): boolean {
  return holder !== undefined && startTimeOf(holder.pid) !== holder.startTime;
}
