import { readFileSync } from 'node:fs';

import { type ProcessIdentity, type StopReport, systemClock } from '../../core/index.js';
import { commandName } from '../marks/commandName.js';
import { allMarked } from '../marks/markedProcesses.js';
import { OneProcess, SURVIVOR_LADDER } from './posixSession.js';
import { isAlive, ownerOf } from '../marks/processTable.js';
import { holderOf, isOfAnotherBoot } from '../marks/sessionMark.js';
import { climbStopLadder } from './stopLadder.js';

/** A process that runs on after the server of its session has ended. */
export interface LeftProcess extends ProcessIdentity {
  readonly command: string;
}

/** A process of a session, started by any of our programs. */
interface SessionMember extends LeftProcess {
  /** The number of its POSIX session. */
  readonly sid: number;
  /** The mark of its session. */
  readonly mark: string;
  /** Whether the server of its session has ended. */
  readonly serverEnded: boolean;
  /** Whether it belongs to another user. Only root can read that user's variables, which may contain anything. */
  readonly ofAnotherUser: boolean;
}

/**
 * The processes of this machine and user that belong, or have belonged, to sessions, newest first. They are found by
 * their mark; see `processesMarked` for those that it misses. Empty where marks cannot be found.
 *
 * @throws Error if the processes cannot be listed.
 */
export async function membersOfSessions(): Promise<readonly SessionMember[]> {
  const marked = await allMarked();
  return [...marked]
    .filter(([mark]) => !isOfAnotherBoot(mark))
    .flatMap(([mark, rows]) => {
      const serverEnded = hasEnded(holderOf(mark));
      return rows.map((row) => ({ row, mark, serverEnded }));
    })
    .sort((one, other) => Number(other.row.startTime) - Number(one.row.startTime))
    .map(({ row, ...session }) => ({
      pid: row.pid,
      startTime: row.startTime,
      sid: row.sid,
      command: commandName(row),
      ofAnotherUser: ownerOf(row.pid) !== process.geteuid?.(),
      ...session,
    }));
}

/** The processes of sessions whose server has ended. */
export async function leftByEndedServers(): Promise<readonly LeftProcess[]> {
  return (await membersOfSessions())
    .filter(({ serverEnded, ofAnotherUser }) => serverEnded && !ofAnotherUser)
    .map(({ pid, startTime, command }) => ({ pid, startTime, command }));
}

/**
 * Ends one process, but not another one that has its number by now. It is asked to terminate, and killed if it does
 * not.
 */
export function endProcess(identity: ProcessIdentity): Promise<StopReport> {
  return climbStopLadder(new OneProcess(identity), SURVIVOR_LADDER, systemClock);
}

/**
 * The start time of a process, in milliseconds since 1970 and to a hundredth of a second.
 *
 * @param wallTime Now, in milliseconds since 1970.
 * @returns undefined where its start time does not tell.
 */
export function startedAtOf(
  { startTime }: Pick<ProcessIdentity, 'startTime'>,
  wallTime: number,
): number | undefined {
  try {
    const [upSeconds] = readFileSync('/proc/uptime', 'utf8').split(' ');
    return Math.round(wallTime - (Number(upSeconds) - Number(startTime) / TICKS_A_SECOND) * 1_000);
  } catch {
    return undefined;
  }
}

/** The unit of the start times that Linux reports; the kernel's own unit may differ. */
const TICKS_A_SECOND = 100;

function hasEnded(holder: ProcessIdentity | undefined): boolean {
  return holder !== undefined && !isAlive(holder);
}
