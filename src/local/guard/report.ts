import { appendFileSync } from 'node:fs';

import { isRecord, type StopStep } from '../../core/index.js';
import type { SessionIdentity } from '../stop/posixSession.js';

/** A POSIX session that a guard has stopped after the end of its host. */
export interface GuardedEnd extends SessionIdentity {
  /** The steps that the guard took, in order. */
  readonly steps: readonly StopStep[];
}

/** Adds a session that was stopped to the file; sessions that had ended by themselves are not in it. Never throws. */
export function addToReport(
  file: string,
  { sid, startTime }: SessionIdentity,
  steps: readonly StopStep[],
): void {
  if (file === '' || steps.length === 0) {
    return;
  }
  try {
    // One write, so that several of them do not mix.
    appendFileSync(file, `${JSON.stringify({ sid, startTime, steps })}\n`, { mode: 0o600 });
  } catch {
    // Stopping the sessions matters more than reporting it.
  }
}

/** Reads such a file and skips lines that it cannot parse. */
export function readReport(text: string): readonly GuardedEnd[] {
  return text.split('\n').flatMap((line) => {
    const end = endIn(line);
    return end === undefined ? [] : [end];
  });
}

function endIn(line: string): GuardedEnd | undefined {
  let value: unknown;
  try {
    value = JSON.parse(line);
  } catch {
    return undefined;
  }
  const { sid, startTime, steps } = isRecord(value) ? value : {};
  return typeof sid === 'number' && Array.isArray(steps)
    ? {
        sid,
        ...(typeof startTime === 'string' && { startTime }),
        steps: STEPS.filter((step) => steps.includes(step)),
      }
    : undefined;
}

const STEPS: readonly StopStep[] = ['interrupt', 'hangup', 'terminate', 'kill'];
