import { readdirSync, readFileSync } from 'node:fs';

import {
  identityKey,
  type ProcessIdentity,
  type StopOptions,
  type StopReport,
  type StopStep,
  systemClock,
} from '../../core/index.js';
import { allMarked } from '../marks/markedProcesses.js';
import { listProcesses, ownerOf, readRow, type ProcessRow } from '../marks/processTable.js';
import { holderOf } from '../marks/sessionMark.js';
import { lineageOf } from '../ports/portListeners.js';
import { descendants, signalProcess, SIGNALS, SURVIVOR_LADDER, withName } from './posixSession.js';
import { climbStopLadder, type Look, type Member, type StopTarget } from './stopLadder.js';

/**
 * Ends a process and everything below it, step by step, but not their process groups, and no process of another user.
 * The identity of each is read again right before each signal. A session server, and a tree with this program in it, are
 * left alone as a whole. The survivors of the report are all that is left.
 *
 * @throws Error if the processes cannot be listed.
 */
export async function endTree(root: ProcessIdentity, options?: StopOptions): Promise<StopReport> {
  const holders = [...(await allMarked()).keys()].flatMap((mark) => holderOf(mark) ?? []);
  const servers = new Set(holders.map(identityKey));
  const ancestors = lineageOf(process.pid).map(({ pid }) => pid);
  const isSpared = servers.delete(identityKey(root)) || [1, ...ancestors].includes(root.pid);
  const ladder = isSpared ? [] : SURVIVOR_LADDER;
  return climbStopLadder(new ProcessTree(root, servers), ladder, systemClock, options);
}

const STOP: readonly NodeJS.Signals[] = ['SIGSTOP'];

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
    const reached = new Map(members.map((member) => [member.pid, member]));
    // A stopped process starts no more children before it is killed.
    for (const signals of step === 'kill' ? [STOP, SIGNALS.kill] : [SIGNALS[step]]) {
      // It grows on the way: the look is some milliseconds old, and a child that loses its parent is not found again.
      for (const member of reached.values()) {
        for (const child of this.#childrenOf(member)) {
          this.#seen.add(identityKey(child));
          reached.set(child.pid, reached.get(child.pid) ?? withName(child));
        }
        signals.filter(() => isOwn(member)).forEach((signal) => signalProcess(member, signal));
      }
    }
    return Promise.resolve();
  }

  /** The children of a process at this moment. Empty where the kernel does not tell. */
  #childrenOf({ pid }: Member): readonly ProcessRow[] {
    try {
      return readdirSync(`/proc/${pid}/task`)
        .flatMap((tid) => readFileSync(`/proc/${pid}/task/${tid}/children`, 'utf8').split(' '))
        .flatMap((child) => readRow(Number(child)) ?? [])
        .filter((row) => row.ppid === pid && !this.#spared.has(identityKey(row)));
    } catch {
      return []; // It has ended meanwhile.
    }
  }
}

/** Whether this user may end it. Root could end the processes of others too. */
export function isOwn({ pid }: Pick<ProcessRow, 'pid'>): boolean {
  return process.platform !== 'linux' || ownerOf(pid) === process.geteuid?.();
}
