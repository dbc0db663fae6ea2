import type { StopOptions } from '../../core/index.js';

import { processEnds } from '../collectOutput.js';
import { firstOf, isAborted, timePasses } from '../conditions.js';
import type { ToolInput } from '../input.js';
import { OutputReader } from '../outputReader.js';
import type { Answer } from '../reply.js';
import { stopText } from '../stopText.js';
import { CallCancelled, ToolError } from '../toolError.js';
import type { AgentSession } from '../agentSession.js';
import type { ToolCall, ToolContext } from './toolCall.js';

/** No time for any step but the last. */
const AT_ONCE: StopOptions['graceMs'] = { interrupt: 0, hangup: 0, terminate: 0 };
/** How long the end of the output is waited for, so that the reply can tell it. */
const SETTLE_MS = 200;

/** Ends a session, and tells what that did. People's control is no obstacle: stopping stays possible. */
export async function stopSession(
  { sessions, clock }: ToolContext,
  input: ToolInput<'stop_session'>,
  call: ToolCall,
): Promise<Answer> {
  const session = sessions.get(input.session);
  if (session.process === undefined) {
    return { session, lines: ['Stop: nothing was running any more'], facts: { wasRunning: false } };
  }
  const report = await session.lock.run(async () => {
    if (session.live) {
      session.stopTried(call.agent);
    }
    try {
      return await session.hosted.stop({
        signal: call.signal,
        ...(input.force && { graceMs: AT_ONCE }),
      });
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error);
      throw new ToolError(`Whether ${session.name} was stopped cannot be told: ${reason}`, session.id);
    }
  }, call.signal);
  await settled(session, call, { clock });
  const wholeLadder = session.hosted.backend.capabilities.stop;
  return {
    session,
    lines: [
      `Stop: ${stopText(report, { wholeLadder, cancelled: call.signal.aborted, outputOpen: session.info().state === 'exited' })}`,
    ],
    facts: {
      wasRunning: report.running,
      steps: report.steps,
      exited: report.exited,
      survivors: report.survivors,
      survivorsKnown: wholeLadder,
    },
  };
}

/** Waits a little for the end of the process, which the log may learn later than whoever has stopped it. */
export async function settled(
  session: AgentSession,
  call: ToolCall,
  { clock }: Pick<ToolContext, 'clock'>,
): Promise<void> {
  const { process } = session;
  if (process === undefined || !isOpen(session)) {
    return;
  }
  const reader = new OutputReader(process, process.info().output.lastSeq, [], clock);
  try {
    const ending = await firstOf([
      isAborted(call.signal, 'cancelled'),
      processEnds(reader, clock, 'ended'),
      timePasses(clock, SETTLE_MS, 'time'),
      (met) => session.onDidLeave(() => met('left')),
    ]);
    if (ending === 'cancelled') {
      throw new CallCancelled();
    }
  } finally {
    reader.dispose();
  }
}

function isOpen(session: AgentSession): boolean {
  const { state } = session.info();
  return state !== 'closed' && state !== 'failed';
}
