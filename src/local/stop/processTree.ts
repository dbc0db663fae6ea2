import {
  identityKey,
  type ProcessIdentity,
  type StopOptions,
  type StopReport,
  type StopStep,
  systemClock,
} from '../../core/index.js';
import { allMarked } from '../marks/markedProcesses.js';
import { listProcesses, ownerOf, type ProcessRow } from '../marks/processTable.js';
import { holderOf } from '../marks/sessionMark.js';
import { descendants, signalProcess, SURVIVOR_LADDER, withName } from './posixSession.js';
import { climbStopLadder, type Look, type Member, type StopTarget } from './stopLadder.js';

/**
 * Ends a process and everything below it, step by step, and nothing else: not their process groups, no process of
 * another user, and no session server with its sessions. The identity of each is read again right before each signal.
 * A session server, and a tree with this program in it, are left alone as a whole. The survivors of the report are all that is left.
 *
 * @throws Error if the processes cannot be listed.
 */
export async function endTree(root: ProcessIdentity, options?: StopOptions): Promise<StopReport> {
  const holders = [...(await allMarked()).keys()].flatMap((mark) => holderOf(mark) ?? []);
  const servers = new Set(holders.map(identityKey));
  const isSpared = servers.delete(identityKey(root)) || (await ancestors(process.pid)).has(identityKey(root));
  const ladder = isSpared ? [] : SURVIVOR_LADDER;
  return climbStopLadder(new ProcessTree(root, servers), ladder, systemClock, options);
}

/** A process with everything below it, also with what has been seen there before it lost its parent. */
class ProcessTree implements StopTarget {
  readonly #root: ProcessIdentity;
  readonly #spared: ReadonlySet<string>;
  readonly #seen = new Set<string>();
  #rootIsThere = true;

  /** @param spared The keys of processes that do not belong to it, with everything below them. */
  constructor(root: ProcessIdentity, spared: ReadonlySet<string>) {
    this.#root = root;
    this.#spared = spared;
    this.#seen.add(identityKey(root));
  }

  hasExited(): boolean {
    return !this.#rootIsThere;
  }

  async look(): Promise<Look> {
    const rows = (await listProcesses()).filter((row) => !this.#spared.has(identityKey(row)));
    const known = rows.filter((row) => this.#seen.has(identityKey(row)));
    const tree = [...known, ...descendants(rows, new Set(known.map(({ pid }) => pid)))];
    tree.forEach((row) => this.#seen.add(identityKey(row)));
    this.#rootIsThere = tree.some((row) => identityKey(row) === identityKey(this.#root));
    return {
      // Each as a group of its own: the ladder then reaches each.
      members: tree.filter(isOwn).map((row) => ({ ...withName(row), pgid: row.pid })),
      outside: tree.filter((row) => !isOwn(row)).map(withName),
      isAlive: (member) => tree.some((row) => identityKey(row) === identityKey(member)),
    };
  }

  send(step: StopStep, members: readonly Member[]): Promise<void> {
    for (const member of members) {
      if (isOwn(member)) {
        signalProcess(member, step);
      }
    }
    return Promise.resolve();
  }
}

/** Whether this user may end it. Root could end the processes of others too. */
function isOwn({ pid }: Pick<ProcessRow, 'pid'>): boolean {
  return process.platform !== 'linux' || ownerOf(pid) === process.geteuid?.();
}

/** The keys of a process and of those above it. */
async function ancestors(pid: number): Promise<ReadonlySet<string>> {
  const rows = new Map((await listProcesses()).map((row) => [row.pid, row]));
  const found = new Set<string>();
  for (let row = rows.get(pid); row !== undefined && !found.has(identityKey(row)); row = rows.get(row.ppid)) {
    found.add(identityKey(row));
  }
  return found;
}
