import { onAbort } from '../../core/index.js';

import type { AgentSession } from '../session/agentSession.js';
import type { Answer } from './reply.js';
import { stateFacts, stateText } from '../session/stateText.js';
import { newBytes } from '../text/index.js';
import { CallCancelled } from '../toolError.js';
import type { ToolInput } from '../input/toolSpecs.js';
import { waitInSession, type WaitOutcome } from './sessionWait.js';
import type { ToolCall, ToolContext } from './toolCall.js';

/**
 * Waits for several sessions at once. The first session in which a condition is met ends the call, and the answer is
 * about it. With `all` that is the last of them. The output of the others stays new. A session in which nothing can
 * happen any more ends the call only if that holds for all of them.
 */
export async function waitInSeveral(
  sessions: readonly AgentSession[],
  input: ToolInput<'wait_for'>,
  call: ToolCall,
  context: ToolContext,
): Promise<Answer> {
  const aborts = new Map(sessions.map((session) => [session, new AbortController()]));
  const abortAll = () => aborts.forEach((controller) => controller.abort());
  const cancelled = onAbort(call.signal, abortAll);
  let first: AgentSession | undefined;
  let metIn = 0;
  let idle = 0;
  const counts = (session: AgentSession, { met, isOver, wasOver }: WaitOutcome) => {
    if (first !== undefined) {
      return false;
    }
    metIn += met ? 1 : 0;
    if (input.all ? met || isOver : !met && wasOver) {
      idle += 1;
      if (idle < sessions.length) {
        return false;
      }
    }
    first = session;
    for (const [other, controller] of aborts) {
      if (other !== session) {
        controller.abort();
      }
    }
    return true;
  };
  try {
    const waits = [...aborts].map(([session, { signal }]) =>
      waitInSession(session, input, { ...call, signal }, context, (outcome) =>
        counts(session, outcome),
      ).catch((error: unknown) => {
        if (!(error instanceof CallCancelled)) {
          abortAll();
        }
        throw error;
      }),
    );
    const ends = await Promise.allSettled(waits);
    const failure = ends.find((end) => end.status === 'rejected' && !(end.reason instanceof CallCancelled));
    const answer = ends.find((end) => end.status === 'fulfilled')?.value;
    if (answer === undefined) {
      throw failure?.status === 'rejected' ? failure.reason : new CallCancelled();
    }
    if (answer.unfinished !== undefined) {
      return answer;
    }
    const others = await withOthers(answer, sessions, call, context);
    return input.all ? withCount(others, metIn, sessions.length) : others;
  } finally {
    cancelled.dispose();
  }
}

/** Says in how many sessions a condition is met. */
function withCount(answer: Answer, met: number, all: number): Answer {
  return {
    ...answer,
    lines: [`All: met in ${met} of ${all} sessions`, ...(answer.lines ?? [])],
    facts: { ...answer.facts, metInAll: met === all },
  };
}

/** Adds the states of the sessions that the answer is not about. */
async function withOthers(
  answer: Answer,
  sessions: readonly AgentSession[],
  call: ToolCall,
  { clock }: ToolContext,
): Promise<Answer> {
  await Promise.all(sessions.map(({ look }) => look.now()));
  const others = await Promise.all(
    sessions
      .filter((session) => session !== answer.session)
      .map(async (session) => ({
        session,
        bytes: session.process && (await newBytes(session.process, session.cursorOf(call.agent))),
      })),
  );
  const now = clock.wallTime();
  return {
    ...answer,
    lines: [
      ...(answer.lines ?? []),
      ...others.map(({ session, bytes }) => {
        session.stateToldTo(call.agent);
        const news = bytes === undefined ? 'output gone' : bytes === 0 ? 'nothing new' : `${bytes} bytes new`;
        return `Also ${session.shortName}: ${stateText(session, now, call.agent)}, ${news}`;
      }),
    ],
    facts: {
      ...answer.facts,
      others: others.map(({ session, bytes }) => ({
        ...stateFacts(session, now),
        ...(bytes !== undefined && { newBytes: bytes }),
      })),
    },
  };
}
