import {
  delay,
  type Clock,
  type StopOptions,
  type StopReport,
  type StopStep,
  type Survivor,
} from '../core/index.js';

/** Something that can be stopped: a process and all that belongs to it. */
export interface StopTarget {
  /** Whether the process itself has exited, as far as is known. */
  hasExited(): boolean;
  /** What of it still runs, and which of its descendants are out of reach. */
  look(): Promise<{ readonly members: readonly Member[]; readonly outside: readonly Member[] }>;
  /** Sends what the step sends, to each of those members. */
  send(step: StopStep, members: readonly Member[]): Promise<void>;
}

export interface Member {
  readonly pid: number;
  readonly pgid: number;
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
 * the next follows when its grace is over.
 */
export async function climbStopLadder(
  target: StopTarget,
  ladder: readonly StopStep[],
  clock: Clock,
  options: StopOptions = {},
): Promise<StopReport> {
  const outside = new Map<number, Member>();
  const steps: StopStep[] = [];
  let members = await look(target, outside);
  const running = !target.hasExited() || members.length > 0;
  for (const step of running ? ladder : []) {
    const graceMs = options.graceMs?.[step] ?? DEFAULT_GRACE_MS[step];
    if (options.signal?.aborted === true || isDone(target, members)) {
      break;
    }
    if (graceMs <= 0 && step !== 'kill') {
      continue;
    }
    steps.push(step);
    await target.send(step, members);
    members = await untilDone(target, outside, clock, graceMs, options.signal);
  }
  const survivors = [
    ...members.map((member): Survivor => ({ ...named(member), why: 'stillRunning' })),
    ...[...outside.values()].map((member): Survivor => ({ ...named(member), why: 'otherSession' })),
  ];
  return { running, steps, exited: target.hasExited(), survivors };
}

function isDone(target: StopTarget, members: readonly Member[]): boolean {
  return members.length === 0 && target.hasExited();
}

async function untilDone(
  target: StopTarget,
  outside: Map<number, Member>,
  clock: Clock,
  graceMs: number,
  signal: AbortSignal | undefined,
): Promise<readonly Member[]> {
  const deadline = clock.now() + graceMs;
  for (let wait = FIRST_LOOK_MS; ; wait = Math.min(wait * 2, LAST_LOOK_MS)) {
    const left = deadline - clock.now();
    await delay(clock, Math.max(0, Math.min(wait, left)), signal);
    const members = await look(target, outside);
    if (isDone(target, members) || clock.now() >= deadline || signal?.aborted === true) {
      return members;
    }
  }
}

/** Remembers who was seen outside: once the parents are gone, nothing tells any more where they came from. */
async function look(target: StopTarget, outside: Map<number, Member>): Promise<readonly Member[]> {
  const seen = await target.look();
  for (const member of seen.outside) {
    outside.set(member.pid, member);
  }
  return seen.members;
}

function named({ pid, command }: Member): { pid: number; command: string } {
  return { pid, command };
}
