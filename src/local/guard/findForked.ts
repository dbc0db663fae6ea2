import { delay, systemClock } from '../../core/index.js';
import { openLinks } from '../stop/holders.js';
import type { SessionIdentity } from '../stop/posixSession.js';
import { listProcesses, type ProcessRow } from '../marks/processTable.js';
import type { ForkSign } from './messages.js';

/** A new process may not have its session or its terminal yet. The pauses between looks, in milliseconds. */
const PAUSES_MS = [0, 20, 100, 400] as const;

/**
 * A process whose number the host did not live to send began, with its children, within this many ticks: two seconds.
 */
const NEW_TICKS = 200;

/** A terminal whose other side has ended with the host. */
const HUNG_UP = /^\/dev\/pts\/\d+ \(deleted\)$/;

/**
 * Finds the POSIX session of a process whose fork the host announced, but whose number it did not live to send. The
 * answer is empty if the processes cannot be listed.
 */
export async function findForked(sign: ForkSign): Promise<readonly SessionIdentity[]> {
  for (const pauseMs of PAUSES_MS) {
    await delay(systemClock, pauseMs);
    const rows = await listProcesses().catch(() => []);
    const found = rows.filter((row) => row.sid > 0 && hasSign(row, sign) && isOfItsLeader(row, rows, sign));
    if (found.length > 0) {
      return [...new Set(found.map(({ sid }) => sid))].map((sid) => {
        const startTime = rows.find(({ pid }) => pid === sid)?.startTime;
        return { sid, ...(startTime !== undefined && { startTime }) };
      });
    }
  }
  return [];
}

function hasSign({ pid, startTime }: ProcessRow, sign: ForkSign): boolean {
  if ('pipe' in sign) {
    return openLinks(pid).includes(`pipe:[${sign.pipe}]`);
  }
  const age = Number(startTime) - sign.terminalSince;
  return age >= -1 && age <= NEW_TICKS && openLinks(pid).some((link) => HUNG_UP.test(link));
}

/** A process between its fork and its `setsid` is still in the session of the host, which is not one of ours. */
function isOfItsLeader({ sid }: ProcessRow, rows: readonly ProcessRow[], sign: ForkSign): boolean {
  const leader = rows.find(({ pid }) => pid === sid);
  return leader === undefined || hasSign(leader, sign);
}
