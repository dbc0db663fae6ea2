import {
  type Clock,
  delay,
  type StopOptions,
  type StopReport,
  type StopStep,
  type Survivor,
} from '../core/index.js';

/** Something that can be stopped: a process and all that belongs to it. */
export interface StopTarget {
  /** Whether the process itself has exited, as far as is known. */
  hasExited(): boolean;
  look(): Promise<Look>;
  /** Sends what the step sends, to each of those members. */
  send(step: StopStep, members: readonly Member[]): Promise<void>;
}

/** What was there at one moment. */
export interface Look {
  /** What of it still runs. */
  readonly members: readonly Member[];
  /** Its descendants that are out of reach. */
  readonly outside: readonly Member[];
  /** Whether one that was seen before is still there. */
  isAlive(member: Member): boolean;
}

export interface Member {
  readonly pid: number;
  readonly pgid: number;
  readonly startTime: string;
  readonly command: string;
}

/** How long each step may take effect by default, in milliseconds; of `kill`: how long it may take to be confirmed. */
export const DEFAULT_GRACE_MS: Readonly<Record<StopStep, number>> = {
  interrupt: 1_500,
  hangup: 1_000,
  terminate: 2_500,
  kill: 2_000,
};

/** Twice as long after each look, since a look reads the whole process table. */
const FIRST_LOOK_MS = 5;
const LAST_LOOK_MS = 80;

/**
 * Stops something step by step, until nothing of it is left: each step is sent to everything that is still there, and
 * the next follows when its grace is over. What appears meanwhile gets the step as well; the kill is sent again until
 * nobody is left to get it, because what is being killed may be forking.
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
    // Once the parents are gone, nothing tells any more where these came from.
    for (const member of seen.outside) {
      outside.set(`${member.pid} ${member.startTime}`, member);
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
  const survivors = [
    ...last.members.map((member): Survivor => ({ ...named(member), why: 'stillRunning' })),
    ...[...outside.values()]
      .filter((member) => last.isAlive(member))
      .map((member): Survivor => ({ ...named(member), why: 'otherSession' })),
  ];
  return { running, steps, exited: target.hasExited(), survivors };
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

function named({ pid, command }: Member): { pid: number; command: string } {
  return { pid, command };
}
