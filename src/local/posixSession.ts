import type { StopStep } from '../core/index.js';
import { listProcesses, type ListProcesses, type ProcessRow } from './processTable.js';
import type { Member, StopTarget } from './stopLadder.js';

/** With a terminal the hang-up is what ends shells, which ignore the two others. */
export const TERMINAL_LADDER: readonly StopStep[] = ['interrupt', 'hangup', 'terminate', 'kill'];
export const PIPE_LADDER: readonly StopStep[] = ['interrupt', 'terminate', 'kill'];

/** A stopped process takes a signal only once it is continued. */
const SIGNALS: Readonly<Record<StopStep, readonly NodeJS.Signals[]>> = {
  interrupt: ['SIGINT'],
  hangup: ['SIGHUP', 'SIGCONT'],
  terminate: ['SIGTERM', 'SIGCONT'],
  kill: ['SIGKILL'],
};

/**
 * A POSIX session as the target of a stop: all its process groups, wherever its leader put them. Interactive shells run
 * each job in a group of its own, so the leader's group alone would leave those behind.
 */
export class PosixSession implements StopTarget {
  readonly #sid: number;
  readonly #hasExited: (() => boolean) | undefined;
  readonly #list: ListProcesses;
  readonly #extraOutside: (rows: readonly ProcessRow[]) => readonly ProcessRow[];
  #leaderIsThere = true;

  constructor(
    sid: number,
    options: {
      /** Tells of the exit; without it a leader that is not in the process table has exited. */
      hasExited?: (() => boolean) | undefined;
      list?: ListProcesses | undefined;
      /** Finds more processes that belong here although their session is another. */
      outside?: ((rows: readonly ProcessRow[]) => readonly ProcessRow[]) | undefined;
    } = {},
  ) {
    this.#sid = sid;
    this.#hasExited = options.hasExited;
    this.#list = options.list ?? listProcesses;
    this.#extraOutside = options.outside ?? (() => []);
  }

  hasExited(): boolean {
    return this.#hasExited?.() ?? !this.#leaderIsThere;
  }

  async look(): Promise<{ members: readonly Member[]; outside: readonly Member[] }> {
    const rows = await this.#list();
    const members = rows.filter((row) => row.sid === this.#sid);
    this.#leaderIsThere = members.some((row) => row.pid === this.#sid);
    const outside = descendants(rows, new Set(members.map((row) => row.pid))).filter(
      (row) => row.sid !== this.#sid,
    );
    return { members, outside: [...outside, ...this.#extraOutside(rows)] };
  }

  send(step: StopStep, members: readonly Member[]): Promise<void> {
    const groups = new Set(members.map((member) => member.pgid));
    for (const signal of SIGNALS[step]) {
      for (const group of groups) {
        killGroup(group, signal);
      }
    }
    return Promise.resolve();
  }
}

/** Sends a signal to a process group; one that is gone is fine. */
export function killGroup(pgid: number, signal: NodeJS.Signals): void {
  // 0 and 1 would be our own group and everybody.
  if (pgid <= 1) {
    return;
  }
  try {
    process.kill(-pgid, signal);
  } catch {
    // ESRCH: it has ended meanwhile. EPERM: it belongs to somebody else now, and shows as a survivor.
  }
}

function descendants(rows: readonly ProcessRow[], ancestors: ReadonlySet<number>): ProcessRow[] {
  const found = new Map<number, ProcessRow>();
  let grew = true;
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
