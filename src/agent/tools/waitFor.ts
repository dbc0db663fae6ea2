import { Alarm, type Clock, messageOf } from '../../core/index.js';
import { type Cursor, type Digest, formatCursor, type LineMatch, START } from '../text/index.js';

import { compareCursors, type AgentSession } from '../agentSession.js';
import { collectOutput, outputAnswer, processEnds } from '../collectOutput.js';
import { atOnce, timePasses, type Condition } from '../conditions.js';
import { secondsText } from '../durationText.js';
import type { ToolInput } from '../toolSpecs.js';
import type { OutputReader } from '../outputReader.js';
import { PatternSink } from '../patternSink.js';
import { PortWatch } from '../portWatch.js';
import type { Answer } from '../reply.js';
import { sessionWarnings } from '../sessionWarnings.js';
import { ToolError } from '../toolError.js';
import { cursorIn } from './readOutput.js';
import type { ToolCall, ToolContext } from './toolCall.js';
import { conditionText, metConditions, type WaitEnding } from './waitText.js';

/** Waits until the first of the given conditions is met. */
export async function waitFor(
  { sessions, clock }: ToolContext,
  given: ToolInput<'wait_for'>,
  call: ToolCall,
): Promise<Answer> {
  const session = sessions.get(given.session);
  const input = withCondition(given);
  checkPort(session, input.port);
  const from = input.from === undefined ? START : cursorIn(session, input.from, 'wait_for', 'from');
  const pattern = input.pattern === undefined ? undefined : patternSink(session, input.pattern, from, input);
  const port = new PortWatch(input.port, session, sessions, clock);
  const seen = session.cursorOf(call.agent);
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
    alsoFor: pattern && { sink: pattern, afterSeq: from.afterSeq },
    note: () => port.text,
  }).finally(() => pattern?.dispose());
  await port.lookLast();
  const met = metConditions(session, input, ending, { match: pattern?.match, port: port.met });
  return {
    session,
    warnings: [
      ...(pattern?.missed === true && pattern.match === undefined
        ? ['a part of the output was gone before it could be compared with the pattern.']
        : []),
      ...(port.problem === undefined
        ? []
        : [`whether port ${input.port ?? 0} is listened on could not be told: ${port.problem}`]),
      ...sessionWarnings(session),
    ],
    lines: [
      conditionText(input, ending, met, {
        match: pattern?.match,
        portText: port.text,
        timeText: secondsText(input.timeout_ms),
        hint: pattern?.match === undefined ? '' : oldLineHint(pattern.match, seen, digest),
        hopeless: session.secret.awaited && !session.secret.personCalled,
      }),
    ],
    ...outputAnswer(digest),
    facts: {
      ...outputAnswer(digest).facts,
      met,
      ending,
      ...(pattern?.match && {
        matchedLine: pattern.match.line,
        matchedCursor: formatCursor(pattern.match.cursor),
      }),
    },
  };
}

/** A hint on how to wait for a new line, if the agent may know this one already, from an earlier build for example. */
function oldLineHint(match: LineMatch, seen: Cursor, digest: Digest | undefined): string {
  return digest === undefined || compareCursors(match.cursor, seen) >= 0
    ? ''
    : ` (the line began before your last look; from="${formatCursor(digest.next)}" waits for a new one)`;
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

function patternSink(
  session: AgentSession,
  pattern: string,
  from: Cursor,
  input: ToolInput<'wait_for'>,
): PatternSink {
  try {
    return new PatternSink({
      pattern,
      ignoreCase: input.ignore_case,
      ...session.terminal,
      from,
    });
  } catch (error) {
    const reason = messageOf(error);
    throw new ToolError(`wait_for was not called: "pattern": ${reason}`, session.id);
  }
}

function lineFound(pattern: PatternSink): Condition<WaitEnding> {
  return (met) => pattern.onFound(() => met('pattern'));
}

/**
 * Met when nothing is left to wait for. That is at the end of the output; or at the exit, if the agent waits for that,
 * or if it comes during the wait and the agent does not wait for the end of the output. A wait that begins after the
 * exit may still be for processes that the command has left behind: for their output until that is closed, and for a
 * port until the time is over, unless somebody else has it.
 */
function commandIsOver(
  reader: OutputReader,
  input: ToolInput<'wait_for'>,
  clock: Clock,
  port: PortWatch,
): Condition<WaitEnding> {
  const { exited, closed } = reader;
  if (reader.lost) {
    return atOnce('lost');
  }
  if (closed && input.port !== undefined && !input.exit && !input.closed) {
    return port.taken('closed');
  }
  const exitCounts = input.exit || (!exited && !input.closed);
  const reason = () => (reader.lost ? 'lost' : reader.closed ? 'closed' : 'exit');
  return exitCounts
    ? (met) => processEnds(reader, clock, undefined)(() => met(reason()))
    : closed
      ? atOnce('closed')
      : (met) =>
          reader.onEvent((event) => {
            if (event === 'closed' || event === 'lost') {
              met(event);
            }
          });
}

/**
 * Met after a time of silence, which counts from the beginning of the wait, because the time of earlier output is
 * unknown. A program that is blocked until its output has been read is not silent, nor is one whose machine cannot be
 * reached.
 */
function isQuiet(
  session: AgentSession,
  reader: OutputReader,
  quietMs: number,
  clock: Clock,
): Condition<WaitEnding> {
  const { backend } = session.hosted;
  return (met) => {
    const alarm = new Alarm(clock);
    let disposed = false;
    let heardSince = clock.now();
    const connection = backend.onDidChangeConnection(() => (heardSince = clock.now()));
    const look = async () => {
      while (reader.behind && !disposed) {
        await reader.caughtUp();
      }
      const now = clock.now();
      if (backend.connection.kind === 'recovering') {
        heardSince = now;
      }
      const left = quietMs - Math.min(reader.silentMs, now - heardSince);
      if (disposed) {
        return;
      }
      if (left > 0) {
        alarm.set(left, look);
      } else {
        met('quiet');
      }
    };
    alarm.set(quietMs, look);
    return {
      dispose: () => {
        disposed = true;
        alarm.dispose();
        connection.dispose();
      },
    };
  };
}
