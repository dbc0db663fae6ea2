import { ExecError } from '../../core/index.js';
import { processesMarked } from '../marks/markedProcesses.js';
import { membersOf, type SessionIdentity } from '../stop/posixSession.js';
import { listProcesses } from '../marks/processTable.js';

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
