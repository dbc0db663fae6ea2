import { formatCursor, looksAnswered } from '../text/index.js';

import type { AgentSession } from '../session/agentSession.js';
import { collectOutput, outputAnswer } from './collectOutput.js';
import { timePasses, type Condition } from '../wait/conditions.js';
import type { PatternSink } from '../wait/patternSink.js';
import { PortWatch } from './portWatch.js';
import type { Answer } from './reply.js';
import { sessionWarnings } from '../session/sessionWarnings.js';
import type { ToolInput } from '../input/toolSpecs.js';
import { searchLines } from './lineSearch.js';
import { cutWarnings } from './outputAnswers.js';
import type { ToolCall, ToolContext } from './toolCall.js';
import { commandIsOver, isQuiet } from './waitConditions.js';
import { conditionText, metConditions, type WaitEnding } from './waitText.js';

/** How the wait for one session is over. */
export interface WaitOutcome {
  /** Whether one of the conditions is met. */
  readonly met: boolean;
  /** Whether that is only because nothing could happen in that session any more when the wait began. */
  readonly wasOver: boolean;
}

/**
 * Waits for one session.
 *
 * @param counts Whether the end of this wait ends the call.
 * @throws CallCancelled if it does not. The session's output stays new then.
 */
export async function waitInSession(
  session: AgentSession,
  input: ToolInput<'wait_for'>,
  call: ToolCall,
  context: ToolContext,
  counts?: (outcome: WaitOutcome) => boolean,
): Promise<Answer> {
  const { sessions, clock, patterns } = context;
  const wasOver = !session.running;
  const search =
    input.pattern === undefined
      ? undefined
      : await searchLines(session, input.pattern, input, call, patterns);
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
    counts:
      counts &&
      ((over) => {
        const { length } = metConditions(session, input, over, { match: pattern?.match, port: port.met });
        return counts({ met: length > 0, wasOver: wasOver && over !== 'time' });
      }),
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
      ...(match === undefined ? cutWarnings(pattern?.cut) : []),
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
        mayBeEcho:
          match !== undefined &&
          session.info().tty &&
          looksAnswered(
            match.line,
            session.inputs.all.map(({ text }) => text),
          ),
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

function lineFound(pattern: PatternSink): Condition<WaitEnding> {
  return (met) => pattern.onFound(() => met('pattern'));
}
