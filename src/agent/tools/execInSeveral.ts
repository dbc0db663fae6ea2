import { messageOf, oneLine } from '../../core/index.js';
import { TOOL_LIMITS, type ToolInput } from '../input/toolSpecs.js';
import { stateFacts, stateText } from '../session/stateText.js';
import { CallCancelled, ToolError } from '../toolError.js';
import { execCommand } from './execCommand.js';
import { type Answer, exitFacts } from './reply.js';
import type { ToolCall, ToolContext } from './toolCall.js';

/** How a command came out in one of the environments. */
type Outcome = { readonly id: string } & ({ readonly answer: Answer } | { readonly reason: string });

/**
 * Starts a command in one environment, or in several side by side. Each of them has a session and an equal part of the
 * room for output.
 */
export async function execSomewhere(
  context: ToolContext,
  { environments, ...input }: ToolInput<'exec_command'>,
  call: ToolCall,
): Promise<Answer> {
  if (environments === undefined) {
    return execCommand(context, input, call);
  }
  const ids = [...new Set(environments)];
  const known = context.host.environments.map(({ id }) => id);
  const unknown = ids.filter((id) => !known.includes(id));
  if (input.environment !== undefined || unknown.length > 0) {
    const why =
      input.environment === undefined
        ? `there is no environment ${unknown.join(', ')}. There are: ${known.join(', ')}`
        : 'give either "environment" or "environments"';
    throw new ToolError(`exec_command was not called: ${why}.`);
  }
  const share = Math.floor(input.max_output_tokens / ids.length);
  const max_output_tokens = Math.max(TOOL_LIMITS.outputTokens.min, share);
  const outcomes = await Promise.all(
    ids.map(async (id): Promise<Outcome> => {
      try {
        return {
          id,
          // No other call waits for several ends and answers as this one does.
          answer: await execCommand(
            context,
            { ...input, environment: id, max_output_tokens },
            { ...call, mayGoOn: false },
          ),
        };
      } catch (error) {
        if (error instanceof CallCancelled) {
          throw error;
        }
        return { id, reason: messageOf(error) };
      }
    }),
  );
  return answerOf(outcomes, context.clock.wallTime(), call);
}

function answerOf(outcomes: readonly Outcome[], now: number, call: ToolCall): Answer {
  const blocks = outcomes.map((outcome) =>
    [headOf(outcome, now, call), ...('answer' in outcome ? [outcome.answer.output ?? ''] : [])]
      .filter((text) => text !== '')
      .join('\n'),
  );
  const warnings = outcomes.flatMap((outcome) =>
    'answer' in outcome ? (outcome.answer.warnings ?? []) : [],
  );
  return {
    lines: [countText(outcomes)],
    warnings: [...new Set(warnings)],
    output: blocks.join('\n'),
    facts: { sessions: outcomes.map((outcome) => factsOf(outcome, now)) },
    isError: outcomes.every((outcome) => 'reason' in outcome),
  };
}

/** `web-1, Session 5: exited with code 0` */
function headOf(outcome: Outcome, now: number, call: ToolCall): string {
  if ('reason' in outcome) {
    return `${outcome.id}: not started: ${oneLine(outcome.reason, 300)}`;
  }
  const { session } = outcome.answer;
  return session === undefined
    ? outcome.id
    : `${outcome.id}, Session ${session.id}: ${stateText(session, now, call.agent)}`;
}

/** `2 of 4 exit 0, 1 running, 1 failed` */
function countText(outcomes: readonly Outcome[]): string {
  const sessions = outcomes.map((outcome) => ('answer' in outcome ? outcome.answer.session : undefined));
  const good = sessions.filter((session) => session?.info().exit?.exitCode === 0).length;
  const running = sessions.filter((session) => session?.running === true).length;
  const failed = outcomes.length - good - running;
  return [
    `${good} of ${outcomes.length} exit 0`,
    ...(running > 0 ? [`${running} running`] : []),
    ...(failed > 0 ? [`${failed} failed`] : []),
  ].join(', ');
}

function factsOf(outcome: Outcome, now: number): object {
  if ('reason' in outcome) {
    return { environment: outcome.id, failure: outcome.reason };
  }
  const { session } = outcome.answer;
  return {
    environment: outcome.id,
    ...(session && { ...stateFacts(session, now), ...exitFacts(session.info().exit) }),
  };
}
