import { messageOf, type StopOptions } from '../../core/index.js';

import { collectOutput, outputAnswer, processEnds } from './collectOutput.js';
import { timePasses } from '../wait/conditions.js';
import type { ToolInput } from '../input/toolSpecs.js';
import type { Answer } from './reply.js';
import { endText, stopText } from '../session/stopText.js';
import { ToolError } from '../toolError.js';
import type { AgentSession } from '../session/agentSession.js';
import type { ToolCall, ToolContext } from './toolCall.js';

/** Skips all steps but the last. */
const AT_ONCE: StopOptions['graceMs'] = { interrupt: 0, hangup: 0, terminate: 0 };
/** How long to wait for the end of the output, in milliseconds, so that the reply can report it. */
const SETTLE_MS = 200;
/** The most tokens of new output to answer with. They are about the end; the agent can read the rest. */
const LAST_OUTPUT_TOKENS = 1_000;

/** Stops a session and reports the result. It works while a person has control as well. */
export async function stopSession(
  { sessions, clock }: ToolContext,
  input: ToolInput<'stop_session'>,
  call: ToolCall,
): Promise<Answer> {
  const session = await sessions.get(input.session, call.agent);
  if (session.process === undefined) {
    const line = 'Stop: the command had ended already; its leftover processes are not known any more';
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
      const report = await session.hosted.stop({
        signal: call.signal,
        ...(input.force && { graceMs: AT_ONCE }),
      });
      if (!report.exited) {
        session.stopFailed();
      }
      return report;
    } catch (error) {
      const reason = messageOf(error);
      throw new ToolError(`Whether ${session.name} was stopped cannot be told: ${reason}`, session.id);
    }
  }, call.signal);
  session.toldSurvivors(report.survivors);
  const last = await lastOutput(session, call, { clock });
  const { stop: wholeLadder, survivors: seesDetached } = session.hosted.backend.capabilities;
  return {
    session,
    lines: [
      `Stop: ${stopText(report, { wholeLadder, seesDetached, cancelled: call.signal.aborted, outputOpen: session.info().state === 'exited' })}`,
    ],
    ...last,
    facts: {
      ...last.facts,
      wasRunning: report.running,
      steps: report.steps,
      exited: report.exited,
      survivors: report.survivors,
      survivorsKnown: wholeLadder && seesDetached && report.survivorsUnknown !== true,
    },
  };
}

/** Ends one process that the session has left running, under the identity that agents were told. */
async function endSurvivor(session: AgentSession, pid: number, call: ToolCall): Promise<Answer> {
  const survivor = session.survivors.find((known) => known.pid === pid);
  if (survivor === undefined) {
    throw new ToolError(
      `Nothing was ended: ${session.name} is not known to have left process ${pid} running. stop_session without pid stops the session and names them.`,
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

/**
 * The output up to the end of the process. The log may learn of the end later than the caller, so this waits a little.
 */
export async function lastOutput(
  session: AgentSession,
  call: ToolCall,
  { clock }: Pick<ToolContext, 'clock'>,
): Promise<ReturnType<typeof outputAnswer>> {
  const { digest } = await collectOutput(session, call, {
    clock,
    maxTokens: LAST_OUTPUT_TOKENS,
    until: (reader) => [processEnds(reader, clock, 'ended'), timePasses(clock, SETTLE_MS, 'time')],
  });
  return outputAnswer(digest);
}
