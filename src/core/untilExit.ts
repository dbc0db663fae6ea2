import { onAbort } from './abort.js';
import type { Clock } from './clock.js';
import type { Event } from './events.js';
import type { ProcessLog } from './processLog.js';

/** How long a process is waited for. */
export interface WaitLimit {
  readonly clock: Clock;
  /** In milliseconds; with 0 nothing is waited for. */
  readonly limitMs: number;
  /** Ends the wait. */
  readonly signal?: AbortSignal | undefined;
}

/**
 * Waits until a process has exited, or can never be reached again.
 *
 * @returns whether it has come to that.
 */
export function untilExit(log: ProcessLog, limit: WaitLimit): Promise<boolean> {
  return untilTrue(() => log.exit !== undefined || log.ended, log.onWake, limit);
}

/**
 * Waits until nothing can follow in a log any more.
 *
 * @returns whether it has come to that.
 */
export function untilEnd(log: ProcessLog, limit: WaitLimit): Promise<boolean> {
  return untilTrue(() => log.ended, log.onWake, limit);
}

/**
 * Waits for a condition, which is looked at before the wait, as soon as changes are listened to, and after each of them.
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
