import { onAbort } from '../abort.js';
import { type Clock, systemClock } from '../clock.js';
import type { Event } from '../events.js';
import type { ProcessLog } from '../log/processLog.js';
import type { ExecProcess } from './execBackend.js';

/** The longest wait for output that was there before this client, in milliseconds. */
const CATCH_UP_MS = 10_000;

/** The limits of a wait for a process. */
interface WaitLimit {
  readonly clock: Clock;
  /** The longest wait, in milliseconds; with 0 there is no wait. */
  readonly limitMs: number;
  /** Ends the wait. */
  readonly signal?: AbortSignal | undefined;
}

/**
 * Waits until a process has exited, or can never be reached again.
 *
 * @returns whether that has happened.
 */
export function untilExit(log: ProcessLog, limit: WaitLimit): Promise<boolean> {
  return untilTrue(() => log.exit !== undefined || log.ended, log.onWake, limit);
}

/**
 * Waits until nothing can follow in a log any more.
 *
 * @returns whether that has happened.
 */
export function untilEnd(log: ProcessLog, limit: WaitLimit): Promise<boolean> {
  return untilTrue(() => log.ended, log.onWake, limit);
}

/**
 * Waits until the log of a process has everything that the server had when this client attached to it, or will never
 * get it. Before that, a reader would take output that is still on its way for a missing one. Gives up after a while.
 */
export async function untilCaughtUp(
  process: Pick<ExecProcess, 'info' | 'onWake'>,
  clock: Clock = systemClock,
): Promise<void> {
  const isThere = () => {
    const { state, output, priorSeq = 0 } = process.info();
    return state === 'failed' || output.lastSeq >= priorSeq;
  };
  await untilTrue(isThere, process.onWake, { clock, limitMs: CATCH_UP_MS });
}

/**
 * Waits until a condition is true. It is checked before the wait (changes are already listened to) and after each
 * change.
 *
 * @returns whether it is true.
 */
export async function untilTrue(
  condition: () => boolean,
  onChange: Event<unknown>,
  { clock, limitMs, signal }: WaitLimit,
): Promise<boolean> {
  if (condition() || limitMs <= 0 || signal?.aborted === true) {
    return condition();
  }
  await new Promise<void>((resolve) => {
    const settle = () => {
      timer.dispose();
      changes.dispose();
      aborted.dispose();
      resolve();
    };
    const look = () => {
      if (condition()) {
        settle();
      }
    };
    const timer = clock.after(limitMs, settle);
    const aborted = onAbort(signal, settle);
    const changes = onChange(look);
    look();
  });
  return condition();
}
