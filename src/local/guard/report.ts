import { appendFileSync } from 'node:fs';

import { isRecord, type StopStep } from '../../core/index.js';
import type { SessionIdentity } from '../posixSession.js';

/** What a guard has stopped behind the end of its host: one POSIX session. */
export interface GuardedEnd extends SessionIdentity {
  /** The steps that it took, in their order. */
  readonly steps: readonly StopStep[];
}

/** Says in a file that a session was stopped; what had ended by itself is not in there. Never throws. */
export function addToReport(
  file: string,
  { sid, startTime }: SessionIdentity,
  steps: readonly StopStep[],
): void {
  if (file === '' || steps.length === 0) {
    return;
  }
  try {
    // One write, so several of them do not mix.
    appendFileSync(file, `${JSON.stringify({ sid, startTime, steps })}\n`, { mode: 0o600 });
  } catch {
    // To stop what is left is worth more than to say so.
  }
}

/** Reads such a file; lines that are none are passed over. */
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
