import { KeptReader } from '../../core/index.js';
import type { KnownAgent } from '../session/agents.js';
import type { AgentSession } from '../session/agentSession.js';
import { collectOutput, outputAnswer } from './collectOutput.js';
import { atOnce } from '../wait/conditions.js';
import type { ToolInput } from '../input/toolSpecs.js';
import { cancellable } from '../session/lock.js';
import type { Answer } from './reply.js';
import { sessionWarnings } from '../session/sessionWarnings.js';
import { stateText } from '../session/stateText.js';
import {
  type Cursor,
  estimateTokens,
  foldedLines,
  pageForward,
  parseCursor,
  type Patterns,
  readTail,
  searchOutput,
  START,
  type Tail,
} from '../text/index.js';
import { ToolError } from '../toolError.js';
import { checkTailIsAlone, compiled, pageAnswer, searchAnswer, tailAnswer } from './outputAnswers.js';
import { readPastOutput } from './readPastOutput.js';
import type { ToolCall, ToolContext } from './toolCall.js';

/** Reads the output of a session in one of five ways. Never waits for more. */
export async function readOutput(
  context: ToolContext,
  input: ToolInput<'read_output'>,
  call: ToolCall,
): Promise<Answer> {
  const { sessions, clock, patterns, past } = context;
  if ((await sessions.find(input.session, call.agent)) === undefined) {
    const before = await past.withOutput(input.session, clock.wallTime());
    if (before !== undefined) {
      return readPastOutput(before, patterns, input, call);
    }
  }
  const session = await sessions.get(input.session, call.agent);
  if (session.process === undefined) {
    throw new ToolError(gone(session, clock.wallTime(), call.agent), session.id);
  }
  const from =
    input.cursor === undefined ? undefined : cursorIn(session, input.cursor, 'read_output', 'cursor');
  const answer =
    input.mode === 'screen'
      ? await screen(session, input, call)
      : input.tail !== undefined
        ? await tail(session, input.tail, input, call)
        : input.search !== undefined
          ? await search(session, input.search, from, input, call, patterns)
          : from !== undefined
            ? await page(session, from, input, call)
            : await news(session, input, call, { clock });
  if (answer.isNew !== true) {
    await session.look.now();
  }
  const warnings = [...(answer.warnings ?? []), ...sessionWarnings(session, call.agent)];
  return { session, ...answer, warnings };
}

function gone(session: AgentSession, now: number, reader: KnownAgent): string {
  return session.left === 'removed'
    ? `The output of ${session.name} is gone: a person, or a limit, has taken it off the list.`
    : `The output of ${session.name} is not kept any more, since many others have ended after it. State: ${stateText(session, now, reader)}.`;
}

/** @throws ToolError if the text is not a cursor, or if the cursor is after the end of the output. */
export function cursorIn(session: AgentSession, text: string, tool: string, property: string): Cursor {
  const cursor = parseCursor(text);
  const last = session.info().output.lastSeq;
  if (cursor === undefined || cursor.afterSeq > last) {
    throw new ToolError(
      `${tool} was not called: "${property}" ${text} is after the end of the output of ${session.name}, which is at ${last}. Use a cursor out of a reply for this session, or "0".`,
      session.id,
    );
  }
  return cursor;
}

/** The output that the agent has not got yet. */
async function news(
  session: AgentSession,
  input: ToolInput<'read_output'>,
  call: ToolCall,
  { clock }: Pick<ToolContext, 'clock'>,
): Promise<Answer> {
  const { digest } = await collectOutput(session, call, {
    clock,
    maxTokens: input.max_output_tokens,
    until: () => [atOnce('now')],
  });
  return outputAnswer(digest);
}

async function page(
  session: AgentSession,
  from: Cursor,
  input: ToolInput<'read_output'>,
  call: ToolCall,
): Promise<Answer> {
  const reading = pageForward(new KeptReader(session.hosted.process), {
    from,
    maxTokens: input.max_output_tokens,
    ...session.terminal,
  });
  const read = await cancellable(reading, call.signal);
  session.given(call.agent, from, read.next);
  return pageAnswer(read);
}

/** The last lines. Output before them stays new if the agent has not got it yet. */
async function tail(
  session: AgentSession,
  lines: number,
  input: ToolInput<'read_output'>,
  call: ToolCall,
): Promise<Answer> {
  checkTailIsAlone(input);
  const reading = lastLines(session, lines, input.max_output_tokens);
  const read = await cancellable(reading, call.signal);
  if (read.from !== undefined) {
    session.given(call.agent, read.from, read.next);
  }
  return tailAnswer(read);
}

/** Reads memory first. If that is not enough, it also reads the output on disk, which takes longer. */
async function lastLines(session: AgentSession, lines: number, maxTokens: number): Promise<Tail> {
  const { process, backend } = session.hosted;
  const { evicted, missing, lastSeq } = session.info().output;
  const options = {
    lines,
    maxTokens,
    first: evicted.throughSeq,
    last: lastSeq,
    mixed: session.seenStreams.size > 1 || session.knownApart,
    ...session.terminal,
  };
  const tail = await readTail(process, options);
  const hasAll = evicted.chunks === 0 && missing.chunks === 0;
  return hasAll || tail.cut || tail.lines >= lines || !backend.capabilities.keptOutput
    ? tail
    : readTail(new KeptReader(process), { ...options, first: 0 });
}

async function search(
  session: AgentSession,
  pattern: string,
  from: Cursor | undefined,
  input: ToolInput<'read_output'>,
  call: ToolCall,
  patterns: Patterns,
): Promise<Answer> {
  const searching = searchOutput(new KeptReader(session.hosted.process), {
    pattern: await compiled(patterns, pattern, input),
    from: from ?? START,
    maxTokens: input.max_output_tokens,
    signal: call.signal,
    ...session.terminal,
  });
  return searchAnswer(await cancellable(searching, call.signal));
}

async function screen(
  session: AgentSession,
  input: ToolInput<'read_output'>,
  call: ToolCall,
): Promise<Answer> {
  if (input.cursor !== undefined || input.search !== undefined || input.tail !== undefined) {
    throw new ToolError(
      'read_output was not called: mode "screen" is alone, without "cursor", "search" and "tail".',
      session.id,
    );
  }
  if (!session.info().tty) {
    throw new ToolError(
      `${session.name} has no screen: it runs without a terminal. Leave "mode" out to read its output.`,
      session.id,
    );
  }
  const { lines, cursor, alternate, incomplete } = await cancellable(session.screen.snapshot(), call.signal);
  const { columns, rows } = session.info().size ?? { columns: 80, rows: 24 };
  const text = foldedLines(lines);
  return {
    lines: [
      `Screen: ${columns} columns, ${rows} rows, cursor in row ${cursor.row + 1}, column ${cursor.column + 1}${alternate ? ', of a full-screen program' : ''}`,
    ],
    outputTokens: estimateTokens(text),
    output: text,
    facts: {
      screen: { columns, rows, row: cursor.row + 1, column: cursor.column + 1, alternate, incomplete },
    },
    ...(incomplete && {
      warnings: ['a part of the output is gone: the screen may differ until the program paints it anew.'],
    }),
  };
}
