import type { HostVariables } from '../core/index.js';
import { membersOfSessions, type SessionMember, startedAtOf } from '../local/index.js';
import { endedReceipts } from './leftovers.js';
import { readRunning, receiptPlace } from './receipts/index.js';

/** A session that runs, as its receipt says, or as its processes are found where it has none. */
export interface RunningSession {
  /** In milliseconds since 1970. */
  readonly startedAt: number | undefined;
  /** Its first process, which on Linux and macOS leads a process group of that number as long as it runs. */
  readonly pid: number | undefined;
  /** Who has started it; undefined if nobody knows. */
  readonly starter: string | undefined;
  readonly name: string;
  readonly cwd: string | undefined;
}

/**
 * The sessions of this user on this machine that run, those with receipts first. Without a receipt they are found by the
 * mark of their processes, which is so on Linux only. Never rejects: what cannot be read is missing.
 *
 * @param wallTime Now, in milliseconds since 1970.
 */
export async function findRunning(env: HostVariables, wallTime: number): Promise<readonly RunningSession[]> {
  const place = receiptPlace(env);
  const receipts = place === undefined ? [] : await readRunning(place, wallTime).catch(() => []);
  const ended = await endedReceipts(env, wallTime).catch(() => []);
  const members = await membersOfSessions().catch(() => []);
  // What ended sessions have left is no session that runs.
  const known = new Set([...receipts, ...ended].map(({ mark }) => mark));
  const others = members.filter(
    ({ pid, mark, serverEnded, ofAnotherUser }) =>
      !serverEnded && !ofAnotherUser && !known.has(mark) && pid !== process.pid,
  );
  const first = new Map<string, SessionMember>();
  for (const member of others) {
    const found = first.get(member.mark);
    if (found === undefined || isBefore(member, found)) {
      first.set(member.mark, member);
    }
  }
  return [
    ...receipts.map(({ startedAt, leader, origin, title, commandLine, cwd }) => ({
      startedAt,
      pid: leader?.pid,
      starter: origin.kind === 'user' ? 'you' : (origin.name ?? origin.kind),
      name: title ?? commandLine,
      cwd,
    })),
    ...[...first.values()].map(({ pid, startTime, command }) => ({
      startedAt: startedAtOf({ startTime }, wallTime),
      pid,
      starter: undefined,
      name: command,
      cwd: undefined,
    })),
  ];
}

/** Two that have started within a hundredth of a second have the same start time. */
function isBefore(one: SessionMember, other: SessionMember): boolean {
  const [start, otherStart] = [Number(one.startTime), Number(other.startTime)];
  return start === otherStart ? one.pid < other.pid : start < otherStart;
}
