import type { ToolInput } from '../input/toolSpecs.js';
import { cancellable } from '../session/lock.js';
import type { Answer } from './reply.js';
import { notRunningText } from '../session/stateText.js';
import { ToolError } from '../toolError.js';
import { lastOutput } from './stopSession.js';
import type { ToolCall, ToolContext } from './toolCall.js';

/** Sends a signal, and waits a moment in case it ends the process. */
export async function sendSignal(
  { sessions, clock }: ToolContext,
  { session: id, signal }: ToolInput<'send_signal'>,
  call: ToolCall,
): Promise<Answer> {
  const session = await sessions.get(id, call.agent);
  const sent = await session.lock.run(async () => {
    const { process } = session;
    if (process === undefined || !session.running) {
      return false;
    }
    if (session.controller === 'person') {
      throw new ToolError(
        `${signal} was not sent: a person has control of session ${id}. Reading it, waiting for it and stopping it are possible; you are told when control is given back.`,
        id,
      );
    }
    const { signals } = session.hosted.backend.capabilities;
    if (!signals.includes(signal)) {
      throw new ToolError(
        `${signal} was not sent: the machine of ${session.name} takes only ${signals.join(', ')}. stop_session ends it.`,
        id,
      );
    }
    session.changedBy(call.agent, 'send_signal');
    session.signalledBy(call.agent, signal);
    await cancellable(process.signal(signal), call.signal);
    return true;
  }, call.signal);
  const last = sent ? await lastOutput(session, call, { clock }) : {};
  const effect = session.running ? 'it has not ended' : 'it has ended';
  return {
    session,
    lines: [
      sent
        ? `Signal: ${signal} was sent; ${effect}`
        : `Signal: ${signal} was not sent, ${notRunningText(session)}`,
    ],
    ...last,
    facts: { ...last.facts, sent },
  };
}
