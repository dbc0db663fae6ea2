import { formatCursor } from '../text/index.js';

import type { AgentSession } from '../agentSession.js';
import { collectOutput, outputAnswer } from '../collectOutput.js';
import { timePasses, type Condition } from '../conditions.js';
import type { ToolInput } from '../toolSpecs.js';
import type { PatternSink } from '../patternSink.js';
import { PortWatch } from '../portWatch.js';
import type { Answer } from '../reply.js';
import { sessionWarnings } from '../sessionWarnings.js';
import { ToolError } from '../toolError.js';
import { searchLines } from './lineSearch.js';
import type { ToolCall, ToolContext } from './toolCall.js';
import { commandIsOver, isQuiet } from './waitConditions.js';
import { conditionText, metConditions, type WaitEnding } from './waitText.js';

/** Waits until the first of the given conditions is met. */
export async function waitFor(
  { sessions, clock }: ToolContext,
  given: ToolInput<'wait_for'>,
  call: ToolCall,
): Promise<Answer> {
  const session = sessions.get(given.session, call.agent);
  const input = withCondition(given);
  checkPort(session, input.port);
  const search = input.pattern === undefined ? undefined : searchLines(session, input.pattern, input, call);
  const pattern = search?.sink;
  const port = new PortWatch(input.port, session, sessions, clock);
  const { ending, digest } = await collectOutput<WaitEnding>(session, call, {
    clock,
    maxTokens: input.max_output_tokens,
    until: (reader) => [
      ...(pattern === undefined ? [] : [lineFound(pattern)]),
      ...port.listening(),
      commandIsOver(reader, input, clock, port),
      ...(input.quiet_ms === undefined ? [] : [isQuiet(session, reader, input.quiet_ms, clock)]),
      timePasses(clock, input.timeout_ms, 'time'),
    ],
    alsoFor: search,
    note: () => port.text,
  }).finally(() => pattern?.dispose());
  const match = pattern?.match;
  await port.lookLast();
  const met = metConditions(session, input, ending, { match, port: port.met });
  return {
    session,
    warnings: [
      ...(pattern?.missed === true && match === undefined
        ? ['a part of the output was gone before it could be compared with the pattern.']
        : []),
      ...(port.problem === undefined
        ? []
        : [`whether port ${input.port ?? 0} is listened on could not be told: ${port.problem}`]),
      ...sessionWarnings(session),
    ],
    lines: [
      conditionText(input, ending, met, {
        match,
        portText: port.text,
        next: digest?.next,
        echo: pattern?.echo,
        sinceInput: search?.sinceInput,
        hopeless: session.secret.awaited && !session.secret.personCalled,
      }),
    ],
    ...outputAnswer(digest),
    facts: {
      ...outputAnswer(digest).facts,
      met,
      ending,
      ...(match && { matchedLine: match.line, matchedCursor: formatCursor(match.cursor) }),
    },
  };
}

/** Without any condition the exit is meant. */
function withCondition(input: ToolInput<'wait_for'>): ToolInput<'wait_for'> {
  const { closed, pattern, port, quiet_ms: quietMs } = input;
  const none = !closed && pattern === undefined && port === undefined && quietMs === undefined;
  return none ? { ...input, exit: true } : input;
}

/** @throws ToolError if this machine cannot tell whether a port is listened on. */
function checkPort({ hosted, name, id }: AgentSession, port: number | undefined): void {
  if (port !== undefined && !hosted.backend.capabilities.portProbe) {
    throw new ToolError(
      `wait_for was not called: whether a port is listened on cannot be told on the machine of ${name}. Wait for a line of its output with "pattern" instead.`,
      id,
    );
  }
}

function lineFound(pattern: PatternSink): Condition<WaitEnding> {
  return (met) => pattern.onFound(() => met('pattern'));
}
