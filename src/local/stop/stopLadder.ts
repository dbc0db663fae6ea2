import {
  type Clock,
  delay,
  identityKey,
  type ProcessIdentity,
  type StopOptions,
  type StopReport,
  type StopStep,
  type Survivor,
} from '../../core/index.js';

/** A target of a stop: a process and everything that belongs to it. */
export interface StopTarget {
  /** Whether the process itself has exited, as far as known. */
  hasExited(): boolean;
  look(): Promise<Look>;
  /** Sends the signal of the step to each of those members. */
  send(step: StopStep, members: readonly Member[]): Promise<void>;
  /**
   * Looks thoroughly, once, for processes of the target that are out of reach and not among its descendants. Rejects if
   * they cannot be found out.
   */
  detached?(): Promise<readonly Member[]>;
}

/** The state of the target at one moment. */
export interface Look {
  /** Its members that still run. */
  readonly members: readonly Member[];
  /** Its descendants that are out of reach. */
  readonly outside: readonly Member[];
  /** Whether the processes could not be listed. There may then be others, and those listed here may have ended. */
  readonly blind?: boolean;
  /** Whether a member seen earlier is still there. */
  isAlive(member: Member): boolean;
}

export interface Member extends ProcessIdentity {
  readonly pgid: number;
  readonly command: string;
}

/** The default time between each step and the next, in milliseconds; after `kill`, the time to confirm the end. */
const DEFAULT_GRACE_MS: Readonly<Record<StopStep, number>> = {
  interrupt: 1_500,
  hangup: 1_000,
  terminate: 2_500,
  kill: 2_000,
};

/** The pause doubles after each look, since a look reads the whole process table. */
const FIRST_LOOK_MS = 5;
const LAST_LOOK_MS = 80;

/**
 * Stops a target step by step, until nothing of it is left. Each step is sent to all members that are still there, and
 * the next follows when its grace time is over. New members get the step as well. The kill is repeated until no member
 * is left, because a process that is being killed may be forking.
 */
export async function climbStopLadder(
  target: StopTarget,
  ladder: readonly StopStep[],
  clock: Clock,
  options: StopOptions = {},
): Promise<StopReport> {
  const outside = new Map<string, Member>();
  const look = async (): Promise<Look> => {
    const seen = await target.look();
    // Recorded now: once the parents have ended, the origin of these processes cannot be found out.
    for (const member of seen.outside) {
      outside.set(identityKey(member), member);
    }
    return seen;
  };
  const steps: StopStep[] = [];
  let seen = await look();
  const running = !target.hasExited() || seen.members.length > 0;
  for (const step of running ? ladder : []) {
    const graceMs = graceOf(step, options);
    if (options.signal?.aborted === true || isDone(target, seen)) {
      break;
    }
    if (graceMs <= 0 && step !== 'kill') {
      continue;
    }
    steps.push(step);
    seen = await takeStep(target, step, seen, look, { clock, graceMs, signal: options.signal });
  }
  const last = seen;
  const alive = [...outside.values()].filter((member) => last.isAlive(member));
  const detached = await detachedOf(target);
  const known = last.blind === true ? [] : last.members;
  const survivors = [
    ...known.map((member): Survivor => ({ ...named(member), why: 'stillRunning' })),
    ...distinct([...alive, ...(detached ?? [])], known).map((member): Survivor => ({
      ...named(member),
      why: 'otherSession',
    })),
  ];
  const unknown = last.blind === true || detached === undefined;
  return {
    running,
    steps,
    exited: target.hasExited(),
    survivors,
    ...(unknown && { survivorsUnknown: true }),
  };
}

/** @returns undefined if they cannot be found out. */
async function detachedOf(target: StopTarget): Promise<readonly Member[] | undefined> {
  try {
    return (await target.detached?.()) ?? [];
  } catch {
    return undefined;
  }
}

/** Each process once, without those in `others`. */
function distinct(members: readonly Member[], others: readonly Member[]): readonly Member[] {
  const known = new Set(others.map(identityKey));
  return members.filter((member) => {
    const key = identityKey(member);
    return !known.has(key) && known.add(key);
  });
}

function graceOf(step: StopStep, options: StopOptions): number {
  const wanted = options.graceMs?.[step];
  return wanted === undefined || Number.isNaN(wanted) ? DEFAULT_GRACE_MS[step] : wanted;
}

function isDone(target: StopTarget, seen: Look): boolean {
  return seen.members.length === 0 && target.hasExited();
}

async function takeStep(
  target: StopTarget,
  step: StopStep,
  before: Look,
  look: () => Promise<Look>,
  { clock, graceMs, signal }: { clock: Clock; graceMs: number; signal: AbortSignal | undefined },
): Promise<Look> {
  await target.send(step, before.members);
  const reached = new Set(before.members.map((member) => member.pgid));
  const deadline = clock.now() + graceMs;
  for (let wait = FIRST_LOOK_MS; ; wait = Math.min(wait * 2, LAST_LOOK_MS)) {
    const left = deadline - clock.now();
    await delay(clock, Math.max(0, Math.min(wait, left)), signal);
    const seen = await look();
    if (isDone(target, seen) || signal?.aborted === true) {
      return seen;
    }
    const missed = step === 'kill' ? seen.members : seen.members.filter(({ pgid }) => !reached.has(pgid));
    if (missed.length > 0) {
      await target.send(step, missed);
      missed.forEach(({ pgid }) => reached.add(pgid));
    }
    if (clock.now() >= deadline) {
      return seen;
    }
  }
}

function named({ pid, startTime, command }: Member): Omit<Survivor, 'why'> {
  return { pid, startTime, command };
}
