import { messageOf, type StopOptions } from '../../core/index.js';

import { processEnds } from '../collectOutput.js';
import { firstOf, isAborted, timePasses } from '../conditions.js';
import type { ToolInput } from '../toolSpecs.js';
import { OutputReader } from '../outputReader.js';
import type { Answer } from '../reply.js';
import { endText, stopText } from '../stopText.js';
import { CallCancelled, ToolError } from '../toolError.js';
import type { AgentSession } from '../agentSession.js';
import type { ToolCall, ToolContext } from './toolCall.js';

/** Skips all steps but the last. */
const AT_ONCE: StopOptions['graceMs'] = { interrupt: 0, hangup: 0, terminate: 0 };
/** How long to wait for the end of the output, in milliseconds, so that the reply can report it. */
const SETTLE_MS = 200;

/** Stops a session and reports the result. It works while a person has control as well. */
export async function stopSession(
  { sessions, clock }: ToolContext,
  input: ToolInput<'stop_session'>,
  call: ToolCall,
): Promise<Answer> {
  const session = sessions.get(input.session, call.agent);
  if (session.process === undefined) {
    const line = 'Stop: the command had ended already; what it may have left behind is not known any more';
    return { session, lines: [line], facts: { wasRunning: false, survivorsKnown: false } };
  }
  if (input.pid !== undefined) {
    return endSurvivor(session, input.pid, call);
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
      const reason = messageOf(error);
      throw new ToolError(`Whether ${session.name} was stopped cannot be told: ${reason}`, session.id);
    }
  }, call.signal);
  session.toldSurvivors(report.survivors);
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
      survivorsKnown: wholeLadder && report.survivorsUnknown !== true,
    },
  };
}

/** Ends one process that the session has left behind, under the identity that agents were told of. */
async function endSurvivor(session: AgentSession, pid: number, call: ToolCall): Promise<Answer> {
  const survivor = session.survivors.find((known) => known.pid === pid);
  if (survivor === undefined) {
    throw new ToolError(
      `Nothing was ended: process ${pid} is none that ${session.name} is known to have left running. stop_session without pid stops the session and names them.`,
      session.id,
    );
  }
  const report = await session.lock.run(
    () => session.hosted.endSurvivor(survivor, { signal: call.signal }),
    call.signal,
  );
  await session.lookForSurvivors();
  return {
    session,
    lines: [`Stop: ${endText(survivor, report)}`],
    facts: {
      wasRunning: report.running,
      steps: report.steps,
      exited: report.exited,
      survivors: session.survivors,
      survivorsKnown: true,
    },
  };
}

/** Waits a little for the end of the process, which the log may learn of later than the caller that stopped it. */
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
