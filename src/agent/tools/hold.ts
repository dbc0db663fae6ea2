import { type Clock, spanText } from '../../core/index.js';
import type { AgentSession } from '../session/agentSession.js';
import type { UnfinishedCall } from '../tool.js';
import type { Answer } from './reply.js';
import type { ToolCall } from './toolCall.js';

/** How long a call waits, and what becomes of the rest of the time that it has asked for. */
export interface Hold {
  readonly ms: number;
  /** The milliseconds that it has asked for and its caller does not wait; 0 if there are none. */
  readonly restMs: number;
  /** Whether the wait goes on for the rest, without this call. */
  readonly goesOn: boolean;
}

export function holdOf({ longestMs, startedAt, mayGoOn }: ToolCall, clock: Clock, askedMs: number): Hold {
  const ms = Math.max(0, Math.min(askedMs, startedAt + longestMs - clock.now()));
  // Clocks have fractions of a millisecond, and inputs have none.
  const restMs = askedMs > longestMs ? Math.ceil(askedMs - ms) : 0;
  return { ms, restMs, goesOn: mayGoOn && restMs > 0 };
}

/** The answer of a call whose wait goes on in another one. It gives the agent no output. */
export function unfinishedAnswer(
  session: AgentSession,
  { restMs }: Hold,
  clock: Clock,
  next: Omit<UnfinishedCall, 'until'>,
): Answer {
  return {
    session,
    lines: [`Wait: goes on for ${spanText(restMs)} at most; its answer comes by itself`],
    unfinished: { ...next, until: clock.wallTime() + restMs },
  };
}
