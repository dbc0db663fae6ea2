import { randomUUID } from 'node:crypto';

import { type Clock, delay, type ProcessLog, type StopOptions, type StopReport } from '../../core/index.js';
import { WireClosedError } from '../../protocol/index.js';
import type { Calls } from '../session/resumableConnection.js';
import { INTERRUPT_GRACE_MS, REMOTE_KILL_CONFIRM_MS, REQUEST_MS, STOP_REPEATS } from '../limits.js';

/** What a stop does to a process of a server that has nothing for it. */
export interface BaseStopTarget {
  readonly log: ProcessLog;
  interrupt(): Promise<void>;
  /** @returns whether it was running. */
  kill(): Promise<boolean>;
}

/**
 * Stops with what every server has: an interrupt, and after its time the kill. Which descendants there were and whether
 * one is left cannot be known.
 */
export async function stopWithBaseProtocol(
  target: BaseStopTarget,
  clock: Clock,
  { graceMs = {}, signal }: StopOptions,
): Promise<StopReport> {
  const { log } = target;
  const steps: StopReport['steps'][number][] = [];
  const report = (running: boolean): StopReport => ({
    running,
    steps,
    exited: hasExited(log),
    survivors: [],
  });
  if (log.ended) {
    return report(false);
  }
  const interruptMs = graceMs.interrupt ?? INTERRUPT_GRACE_MS;
  if (!hasExited(log) && interruptMs > 0 && signal?.aborted !== true) {
    steps.push('interrupt');
    await target.interrupt();
    await untilExit(log, clock, interruptMs, signal);
    if (hasExited(log)) {
      return report(true);
    }
  }
  if (signal?.aborted === true) {
    return report(!hasExited(log));
  }
  const running = await target.kill();
  if (running) {
    steps.push('kill');
    await untilExit(log, clock, graceMs.kill ?? REMOTE_KILL_CONFIRM_MS, signal);
  }
  return report(running || steps.length > 0);
}

/** A function, since the compiler takes a member for unchanged across an await. */
function hasExited(log: ProcessLog): boolean {
  return log.exit !== undefined;
}

/** Waits until the process has exited, or is lost, for so long at most. */
export function untilExit(
  log: ProcessLog,
  clock: Clock,
  limitMs: number,
  signal?: AbortSignal,
): Promise<void> {
  return untilLog(log, () => hasExited(log) || log.ended, clock, limitMs, signal);
}

/** Waits until nothing can follow any more, for so long at most. */
export function untilEnd(log: ProcessLog, clock: Clock, limitMs: number): Promise<void> {
  return untilLog(log, () => log.ended, clock, limitMs);
}

async function untilLog(
  log: ProcessLog,
  condition: () => boolean,
  clock: Clock,
  limitMs: number,
  signal?: AbortSignal,
): Promise<void> {
  if (limitMs <= 0 || condition()) {
    return;
  }
  const seen = new AbortController();
  const look = () => {
    if (condition()) {
      seen.abort();
    }
  };
  const subscription = log.onWake(look);
  const either = signal === undefined ? seen.signal : AbortSignal.any([seen.signal, signal]);
  await delay(clock, limitMs, either);
  subscription.dispose();
}

/** Lets the server climb its ladder. A stop that the connection interrupts is asked for again. */
export async function stopWithLadder(
  calls: Calls,
  processId: string,
  { graceMs, signal }: StopOptions,
): Promise<StopReport> {
  for (let interruptions = 0; ; interruptions += 1) {
    const stopId = randomUUID();
    const cancel = () => {
      calls.call('process/cancelStop', { stopId }, { timeoutMs: REQUEST_MS }).catch(() => undefined);
    };
    signal?.addEventListener('abort', cancel);
    try {
      const answer = calls.call(
        'process/stop',
        { processId, stopId, ...(graceMs && { graceMs: definedOnly(graceMs) }) },
        { timeoutMs: ladderMs(graceMs) },
      );
      if (signal?.aborted === true) {
        cancel();
      }
      const report = await answer;
      return { ...report, running: report.running || interruptions > 0 };
    } catch (error) {
      if (!(error instanceof WireClosedError) || interruptions >= STOP_REPEATS) {
        throw error;
      }
    } finally {
      signal?.removeEventListener('abort', cancel);
    }
  }
}

/** As long as all steps together may take, and a call beside that. */
function ladderMs(graceMs: StopOptions['graceMs']): number {
  const given = Object.values(graceMs ?? {}).reduce((total, ms) => total + ms, 0);
  return REQUEST_MS + given;
}

function definedOnly(graceMs: NonNullable<StopOptions['graceMs']>): Record<string, number> {
  return Object.fromEntries(
    Object.entries(graceMs).filter((entry): entry is [string, number] => typeof entry[1] === 'number'),
  );
}
