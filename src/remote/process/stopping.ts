import { randomUUID } from 'node:crypto';

import {
  type Clock,
  onAbort,
  type ProcessLog,
  type StopOptions,
  type StopReport,
  untilExit,
} from '../../core/index.js';
import { type ParamsOf, WireClosedError } from '../../protocol/index.js';
import type { Calls } from '../session/resumableConnection.js';
import { INTERRUPT_GRACE_MS, REMOTE_KILL_CONFIRM_MS, REQUEST_MS, STOP_REPEATS } from '../limits.js';

/** The means to stop a process of a server without `process/stop`. */
interface BaseStopTarget {
  readonly log: ProcessLog;
  interrupt(): Promise<void>;
  /** @returns whether the process was running. */
  kill(): Promise<boolean>;
}

/**
 * Stops a process by the means that every server has: an interrupt and, after its grace time, a kill. Descendants are
 * unknown, so the report names no survivors.
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
    await untilExit(log, { clock, limitMs: interruptMs, signal });
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
    await untilExit(log, { clock, limitMs: graceMs.kill ?? REMOTE_KILL_CONFIRM_MS, signal });
  }
  return report(running || steps.length > 0);
}

/** A function, since the compiler assumes that a member stays unchanged across an await. */
function hasExited(log: ProcessLog): boolean {
  return log.exit !== undefined;
}

/** Makes the server stop a process step by step. A stop that the end of a connection interrupts is repeated. */
export async function stopWithLadder(
  calls: Calls,
  processId: string,
  { graceMs, signal }: StopOptions,
): Promise<StopReport> {
  for (let interruptions = 0; ; interruptions += 1) {
    const stopId = randomUUID();
    const answer = calls.call(
      'process/stop',
      { processId, stopId, ...(graceMs && { graceMs: definedOnly(graceMs) }) },
      { timeoutMs: ladderMs(graceMs) },
    );
    // The cancellation is sent only after the stop, even if the signal is aborted already: the server has to know the
    // stop.
    const cancelling = onAbort(signal, () => {
      calls.call('process/cancelStop', { stopId }, { timeoutMs: REQUEST_MS }).catch(() => undefined);
    });
    try {
      const report = await answer;
      return { ...report, running: report.running || interruptions > 0 };
    } catch (error) {
      if (!(error instanceof WireClosedError) || interruptions >= STOP_REPEATS) {
        throw error;
      }
    } finally {
      cancelling.dispose();
    }
  }
}

/**
 * Makes the server end one process that it has named. A call that the end of a connection interrupts is repeated: the
 * server ends no other process under that identity.
 */
export async function endSurvivor(
  calls: Calls,
  survivor: Omit<ParamsOf<'process/endSurvivor'>, 'graceMs'>,
  { graceMs }: StopOptions,
): Promise<StopReport> {
  const params = { ...survivor, ...(graceMs && { graceMs: definedOnly(graceMs) }) };
  return calls.call('process/endSurvivor', params, { timeoutMs: ladderMs(graceMs), repeat: true });
}

/** The time limit of the call: the grace times of all steps, and the time of an ordinary call. */
function ladderMs(graceMs: StopOptions['graceMs']): number {
  const given = Object.values(graceMs ?? {}).reduce((total, ms) => total + ms, 0);
  return REQUEST_MS + given;
}

function definedOnly(graceMs: NonNullable<StopOptions['graceMs']>): Record<string, number> {
  return Object.fromEntries(
    Object.entries(graceMs).filter((entry): entry is [string, number] => typeof entry[1] === 'number'),
  );
}
