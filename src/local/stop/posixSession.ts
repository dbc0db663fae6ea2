import type { ProcessIdentity, StopStep } from '../../core/index.js';
import { commandName } from '../marks/commandName.js';
import { listProcesses, startTimeOf, type ListProcesses, type ProcessRow } from '../marks/processTable.js';
import type { Look, Member, StopTarget } from './stopLadder.js';

/** On a terminal, shells end at the hang-up; they ignore the interrupt and the terminate. */
export const TERMINAL_LADDER: readonly StopStep[] = ['interrupt', 'hangup', 'terminate', 'kill'];
export const PIPE_LADDER: readonly StopStep[] = ['interrupt', 'terminate', 'kill'];
/** For one process in an unknown role: an interrupt or a hang-up may have another meaning for it. */
export const SURVIVOR_LADDER: readonly StopStep[] = ['terminate', 'kill'];

/** A stopped process takes a signal only once it is continued. */
export const SIGNALS: Readonly<Record<StopStep, readonly NodeJS.Signals[]>> = {
  interrupt: ['SIGINT'],
  hangup: ['SIGHUP', 'SIGCONT'],
  terminate: ['SIGTERM', 'SIGCONT'],
  kill: ['SIGKILL'],
};

/** Identifies a POSIX session. Its number is its leader's, and may belong to another session later. */
export interface SessionIdentity {
  readonly sid: number;
  /** The start time of the leader, if known. */
  readonly startTime?: string | undefined;
}

/**
 * The identity of the session that a new child leads. Call it right after the fork, while the leader has certainly not
 * been reaped.
 */
export function identify(sid: number): SessionIdentity {
  return { sid, startTime: startTimeOf(sid) };
}

/** Whether a session of this number is that one; the number may have been given to another session meanwhile. */
export function isSession({ sid, startTime }: SessionIdentity, number: number): boolean {
  const leader = sid === number && startTime !== undefined ? startTimeOf(sid) : undefined;
  return sid === number && (leader === undefined || leader === startTime);
}

/** The members of a POSIX session; empty if its number has been given to another session meanwhile. */
export function membersOf({ sid, startTime }: SessionIdentity, rows: readonly ProcessRow[]): ProcessRow[] {
  const leader = rows.find((row) => row.pid === sid);
  const isAnother = leader !== undefined && startTime !== undefined && leader.startTime !== startTime;
  return isAnother ? [] : rows.filter((row) => row.sid === sid);
}

/**
 * A POSIX session as the target of a stop: all its process groups. Interactive shells run each job in a group of its
 * own, so a signal to the leader's group alone would miss those jobs.
 */
export class PosixSession implements StopTarget {
  readonly #identity: SessionIdentity;
  readonly #hasExited: (() => boolean) | undefined;
  readonly #list: ListProcesses;
  readonly #extraOutside: (rows: readonly ProcessRow[]) => readonly ProcessRow[];
  readonly #detached: () => Promise<readonly ProcessRow[]>;
  #leaderIsThere = true;
  /**
   * Whether the group with the leader's number is known to be the leader's. The system does not reuse the number while
   * the group has a process, so a look that found one proves it.
   */
  #groupIsOurs: boolean;

  constructor(
    identity: SessionIdentity,
    options: {
      /**
       * Whether the leader has exited. Without this function, a leader that is missing from the process table counts as
       * exited. The group with its number then counts as its own as long as it exists.
       */
      hasExited?: (() => boolean) | undefined;
      list?: ListProcesses | undefined;
      /** Finds further processes that belong to the target although they are in another session. */
      outside?: ((rows: readonly ProcessRow[]) => readonly ProcessRow[]) | undefined;
      /** The same at the end of a stop, where a look may take longer. */
      detached?: (() => Promise<readonly ProcessRow[]>) | undefined;
    } = {},
  ) {
    this.#identity = identity;
    this.#hasExited = options.hasExited;
    this.#groupIsOurs = options.hasExited === undefined;
    this.#list = options.list ?? listProcesses;
    this.#extraOutside = options.outside ?? (() => []);
    this.#detached = options.detached ?? (() => Promise.resolve([]));
  }

  hasExited(): boolean {
    return this.#hasExited?.() ?? !this.#leaderIsThere;
  }

  async look(): Promise<Look> {
    const rows = await this.#list().catch(() => undefined);
    if (rows === undefined) {
      return this.#lookAtGroup();
    }
    const members = membersOf(this.#identity, rows);
    this.#leaderIsThere = members.some((row) => row.pid === this.#identity.sid);
    this.#groupIsOurs = members.some((row) => row.pgid === this.#identity.sid);
    const ours = new Set(members.map((row) => row.pid));
    const outside = descendants(rows, ours).filter((row) => row.sid !== this.#identity.sid);
    return {
      members: members.map(withName),
      outside: [...outside, ...this.#extraOutside(rows)].map(withName),
      isAlive: ({ pid, startTime }) => rows.some((row) => row.pid === pid && row.startTime === startTime),
    };
  }

  async detached(): Promise<readonly Member[]> {
    const rows = await this.#detached();
    return rows.filter((row) => row.sid !== this.#identity.sid).map(withName);
  }

  send(step: StopStep, members: readonly Member[]): Promise<void> {
    const groups = new Set(members.map((member) => member.pgid));
    if (!this.hasExited()) {
      // Signalled even if it is missing from the list: it certainly belongs to the session.
      groups.add(this.#identity.sid);
    }
    for (const signal of SIGNALS[step]) {
      for (const group of groups) {
        killGroup(group, signal);
      }
    }
    return Promise.resolve();
  }

  /** Without a list, for example for want of descriptors or of /proc, the leader's group is still known. */
  #lookAtGroup(): Look {
    const { sid, startTime = '' } = this.#identity;
    this.#groupIsOurs = (this.#groupIsOurs || this.#hasExited?.() === false) && hasMembers(sid);
    this.#leaderIsThere &&= this.#groupIsOurs;
    const group = { pid: sid, pgid: sid, startTime, command: '' };
    return { members: this.#groupIsOurs ? [group] : [], outside: [], blind: true, isAlive: () => false };
  }
}

/** Whether a process group has a member; a zombie counts. */
export function hasMembers(pgid: number): boolean {
  try {
    return process.kill(-pgid, 0);
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}

/**
 * One process alone as the target of a stop, without the processes that it has started. Its number may belong to
 * another process by now.
 */
export class OneProcess implements StopTarget {
  readonly #identity: ProcessIdentity;
  #isThere = true;

  constructor(identity: ProcessIdentity) {
    this.#identity = identity;
  }

  hasExited(): boolean {
    return !this.#isThere;
  }

  async look(): Promise<Look> {
    const is = ({ pid, startTime }: ProcessIdentity) =>
      pid === this.#identity.pid && startTime === this.#identity.startTime;
    const members = (await listProcesses()).filter(is).map(withName);
    this.#isThere = members.length > 0;
    return { members, outside: [], isAlive: (member) => members.some(is) && is(member) };
  }

  send(step: StopStep): Promise<void> {
    SIGNALS[step].forEach((signal) => signalProcess(this.#identity, signal));
    return Promise.resolve();
  }
}

/** Sends a signal to one process, but not to another one that has its number by now. */
export function signalProcess({ pid, startTime }: ProcessIdentity, signal: NodeJS.Signals): void {
  // Looked at once more, since a list is some milliseconds old. Where only a list would tell, the list has to do.
  if (pid > 1 && (startTimeOf(pid) ?? startTime) === startTime) {
    kill(pid, signal);
  }
}

export function withName(row: ProcessRow): Member {
  return { ...row, command: commandName(row) };
}

/** Sends a signal to a process group, which may have ended. */
export function killGroup(pgid: number, signal: NodeJS.Signals): void {
  // 0 and 1 would be our own group and every process.
  if (pgid > 1) {
    kill(-pgid, signal);
  }
}

function kill(target: number, signal: NodeJS.Signals): void {
  try {
    process.kill(target, signal);
  } catch {
    // ESRCH: it has ended meanwhile. EPERM: it now belongs to another user, and shows as a survivor.
  }
}

/** The processes below these, nearest first. */
export function descendants(rows: readonly ProcessRow[], ancestors: ReadonlySet<number>): ProcessRow[] {
  const found = new Map<number, ProcessRow>();
  let grew = ancestors.size > 0;
  while (grew) {
    grew = false;
    for (const row of rows) {
      if (
        !found.has(row.pid) &&
        !ancestors.has(row.pid) &&
        (ancestors.has(row.ppid) || found.has(row.ppid))
      ) {
        found.set(row.pid, row);
        grew = true;
      }
    }
  }
  return [...found.values()];
}
