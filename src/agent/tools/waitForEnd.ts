import { type Clock, secondsText } from '../../core/index.js';
import type { AgentSession } from '../session/agentSession.js';
import { sessionWarnings } from '../session/sessionWarnings.js';
import { timePasses } from '../wait/conditions.js';
import { collectOutput, outputAnswer, processEnds } from './collectOutput.js';
import { holdOf, unfinishedAnswer } from './hold.js';
import type { Answer } from './reply.js';
import type { ToolCall } from './toolCall.js';

/** Waits for the end of a session as long as a call has asked for, and answers with the output until then. */
export async function waitForEnd(
  session: AgentSession,
  {
    yield_time_ms,
    max_output_tokens,
  }: { readonly yield_time_ms: number; readonly max_output_tokens: number },
  call: ToolCall,
  clock: Clock,
): Promise<Answer> {
  const hold = holdOf(call, clock, yield_time_ms);
  const isCut = (ending: string) => ending === 'time' && session.running && hold.restMs > 0;
  const { ending, digest, goesOn } = await collectOutput(session, call, {
    clock,
    maxTokens: max_output_tokens,
    until: (reader) => [processEnds(reader, clock, 'ended'), timePasses(clock, hold.ms, 'time')],
    goesOn: (over) => hold.goesOn && isCut(over),
  });
  if (goesOn === true) {
    return unfinishedAnswer(session, hold, clock, {
      tool: 'write_stdin',
      input: { session: session.id, yield_time_ms: hold.restMs, max_output_tokens },
      sessions: [session.id],
    });
  }
  return {
    session,
    warnings: [
      ...(isCut(ending)
        ? [
            `this client waits no longer than ${secondsText(call.longestMs)} for an answer. Use wait_for to wait on.`,
          ]
        : []),
      ...sessionWarnings(session, call.agent),
    ],
    ...outputAnswer(digest),
  };
}
