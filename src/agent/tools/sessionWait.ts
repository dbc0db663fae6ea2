import { messageOf } from '../../core/index.js';
import {
  compareCursors,
  type Cursor,
  formatCursor,
  type Patterns,
  SinceInput,
  START,
} from '../text/index.js';

import type { AgentSession } from '../session/agentSession.js';
import { collectOutput, outputAnswer } from './collectOutput.js';
import { onlyIf, timePasses, type Condition } from '../wait/conditions.js';
import { PatternSink } from '../wait/patternSink.js';
import { PortWatch } from './portWatch.js';
import type { Answer } from './reply.js';
import { sessionWarnings } from '../session/sessionWarnings.js';
import { ToolError } from '../toolError.js';
import type { ToolInput } from '../input/toolSpecs.js';
import { cutWarnings } from './outputAnswers.js';
import { holdOf, unfinishedAnswer } from './hold.js';
import { cursorIn } from './readOutput.js';
import type { ToolCall, ToolContext } from './toolCall.js';
import { commandIsOver, isQuiet } from './waitConditions.js';
import { conditionText, metConditions, SHOWN_QUIET_MS, type WaitEnding } from './waitText.js';

/** The outcome of the wait for one session. */
export interface WaitOutcome {
  /** Whether one of the conditions is met. */
  readonly met: boolean;
  /** Whether nothing more can happen in it. */
  readonly isOver: boolean;
  /** Whether that was so before the wait began. */
  readonly wasOver: boolean;
}

/**
 * Waits for one session.
 *
 * @param counts Whether the end of this wait ends the call.
 * @throws CallCancelled if it does not end the call. The session's output stays new then.
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
  const hold = holdOf(call, clock, input.timeout_ms);
  const metAt = (over: WaitEnding) =>
    metConditions(session, input, over, { match: pattern?.match, port: port.met });
  const { ending, digest, goesOn } = await collectOutput<WaitEnding>(session, call, {
    clock,
    maxTokens: input.max_output_tokens,
    until: (reader) => [
      ...(pattern === undefined ? [] : [lineFound(pattern)]),
      ...port.listening(),
      commandIsOver(session, reader, input, clock, port),
      ...(input.quiet_ms === undefined ? [] : [isQuiet(session, reader, input.quiet_ms, clock, 'quiet')]),
      ...(pattern === undefined || counts !== undefined
        ? []
        : [
            onlyIf(
              () => pattern.shown !== undefined,
              isQuiet(session, reader, SHOWN_QUIET_MS, clock, 'shown'),
            ),
          ]),
      timePasses(clock, hold.ms, 'time'),
    ],
    asks: input.asks,
    alsoFor: search,
    note: () => port.text,
    goesOn: (over) => hold.goesOn && over === 'time' && metAt(over).length === 0,
    counts:
      counts &&
      ((over) => {
        const { length } = metAt(over);
        const isOver = !session.running && over !== 'time';
        return counts({ met: length > 0, isOver, wasOver: wasOver && over !== 'time' });
      }),
  }).finally(() => pattern?.dispose());
  if (goesOn === true) {
    return unfinishedAnswer(session, hold, clock, {
      tool: 'wait_for',
      input: {
        ...input,
        timeout_ms: hold.restMs,
        // Another program knows neither the last input nor the lines that have been shown.
        ...(search && counts === undefined && { from: formatCursor(search.countsFrom) }),
      },
      sessions: [
        ...new Set([...(input.session === undefined ? [] : [input.session]), ...(input.sessions ?? [])]),
      ],
    });
  }
  const match = pattern?.match;
  const shown = pattern?.shown;
  await port.lookLast();
  const met = metAt(ending);
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
      ...sessionWarnings(session, call.agent),
    ],
    lines: [
      conditionText(input, ending, met, {
        match,
        portText: port.text,
        next: digest?.next,
        echo: pattern?.echo,
        shown,
        sinceInput: search?.sinceInput,
        hold,
        hopeless: session.secret.awaited && !session.secret.personCalled,
      }),
    ],
    ...outputAnswer(digest),
    facts: {
      ...outputAnswer(digest).facts,
      met,
      ending,
      ...(match && { matchedLine: match.line, matchedCursor: formatCursor(match.cursor) }),
      ...(match === undefined && shown && { shownLine: shown.line, shownCursor: formatCursor(shown.cursor) }),
    },
  };
}

function lineFound(pattern: PatternSink): Condition<WaitEnding> {
  return (met) => pattern.onFound(() => met('pattern'));
}

/** The search for a line during a wait. */
interface LineSearch {
  readonly sink: PatternSink;
  /** The number of the output after which it reads. */
  readonly afterSeq: number;
  /** The cursor from which lines count, also those that have been shown by now. */
  readonly countsFrom: Cursor;
  /** The cursor from which lines count, if that is the agent's last input. */
  readonly sinceInput: string | undefined;
}

/**
 * Lines count from `from` on. Without it they count from the agent's last input, or from the start of the session. As
 * long as the session runs, lines that the agent has been shown do not count then. In a terminal the echo of input does
 * not count. Older output is read as well there, because later output is written over it.
 *
 * @throws ToolError if the pattern or the cursor is wrong.
 */
async function searchLines(
  session: AgentSession,
  pattern: string,
  input: ToolInput<'wait_for'>,
  call: ToolCall,
  patterns: Patterns,
): Promise<LineSearch> {
  const { inputs, terminal } = session;
  const given = input.from === undefined ? undefined : cursorIn(session, input.from, 'wait_for', 'from');
  const last = given === undefined ? inputs.lastOf(call.agent) : undefined;
  const lastInput: Cursor | undefined = last === undefined ? undefined : { afterSeq: last, skipBytes: 0 };
  const from = given ?? (terminal.tty ? START : (lastInput ?? START));
  const shownThrough = given === undefined && session.running ? session.cursorOf(call.agent) : undefined;
  const compiled = await patterns.compile(pattern, input.ignore_case).catch((error: unknown) => {
    throw new ToolError(`wait_for was not called: "pattern": ${messageOf(error)}`, session.id);
  });
  const options = {
    pattern: compiled,
    ...terminal,
    from,
    since: terminal.tty ? new SinceInput(last, () => inputs.all) : undefined,
    shownThrough,
  };
  return {
    sink: new PatternSink(options, last ?? 0),
    afterSeq: from.afterSeq,
    countsFrom: given ?? laterOf(lastInput ?? START, shownThrough ?? START),
    sinceInput: lastInput && formatCursor(lastInput),
  };
}

function laterOf(one: Cursor, other: Cursor): Cursor {
  return compareCursors(one, other) < 0 ? other : one;
}
