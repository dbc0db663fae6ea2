import {
  type EndedReceipt,
  type Forgotten,
  forgottenOf,
  type HostVariables,
  type ProcessIdentity,
  type Sighting,
} from '../core/index.js';
import { folderOf, isOwn, lookAtTrees, membersOfSessions, startedAtOf } from '../local/index.js';
import { readOwnReceipts } from './receipts/index.js';

/** A process that a session has left running. */
export interface Leftover extends ProcessIdentity {
  readonly command: string;
  /** The number of its POSIX session. */
  readonly sid: number;
  /** The time at which it began itself, in milliseconds since 1970, to a hundredth of a second. */
  readonly startedAt: number | undefined;
  /** The receipt of its session; undefined if the session has left none. */
  readonly receipt: EndedReceipt | undefined;
}

/**
 * The processes that belong to no live session any more: the session has ended, as its receipt says, or its server has.
 * Processes that were started last come first.
 *
 * Without receipts, the processes of a session are only found once its server has ended. The search is for a mark in
 * the variables of processes, which only Linux tells. Root could see the processes of other users; they are found only
 * if a receipt says that a session of this user has left them.
 *
 * @param wallTime Now, in milliseconds since 1970.
 * @param unread Called with the reason if receipts cannot be read. The search then goes on without them.
 * @throws Error if the processes cannot be read.
 */
export async function findLeftovers(
  env: HostVariables,
  wallTime: number,
  unread: (reason: string) => void,
): Promise<readonly Leftover[]> {
  const members = await membersOfSessions();
  const ended = await readOwnReceipts(env, wallTime, unread).catch((error: unknown) => {
    unread(error instanceof Error ? error.message : String(error));
    return [];
  });
  const receipts = new Map(ended.map((receipt) => [receipt.mark, receipt]));
  return members.flatMap(({ pid, startTime, sid, command, mark, serverEnded, ofAnotherUser }) => {
    const receipt = receipts.get(mark);
    const isLeft = receipt !== undefined || (serverEnded && !ofAnotherUser);
    return isLeft && pid !== process.pid
      ? [{ pid, startTime, sid, command, startedAt: startedAtOf({ startTime }, wallTime), receipt }]
      : [];
  });
}

/**
 * The processes that may have been forgotten: the leftovers of this user, and those sightings whose agent has ended.
 * A leftover below another one of them is a part of it.
 *
 * @throws Error if the processes cannot be read.
 */
export async function findForgotten(
  sightings: readonly Sighting[],
  ...[env, wallTime, unread]: Parameters<typeof findLeftovers>
): Promise<readonly Forgotten[]> {
  const left = (await findLeftovers(env, wallTime, unread)).filter(isOwn);
  const seen = forgottenOf(sightings);
  const trees = await lookAtTrees([...left, ...seen]);
  const below = new Set(trees.flatMap((tree) => tree.below));
  const leftovers = left.map(({ pid, startTime, command, startedAt, sid, receipt }, index): Forgotten => {
    const { memoryBytes, ports } = trees[index] ?? {};
    return {
      ...{ pid, startTime, command, startedAt, memoryBytes, ports, cwd: folderOf(pid) },
      agents: receipt?.origin.kind === 'agent' ? [receipt.origin.name ?? 'agent'] : [],
      session: receipt?.title ?? receipt?.commandLine,
      // A process that has not detached itself is in the POSIX session that was made for it.
      spared: sid === receipt?.leader?.pid ? undefined : 'detached',
    };
  });
  return [...leftovers.filter(({ pid }) => !below.has(pid)), ...seen];
}
