import { KeptReader, messageOf } from '../../core/index.js';
import type { KnownAgent } from '../agents.js';
import type { AgentSession } from '../agentSession.js';
import { collectOutput, outputAnswer } from '../collectOutput.js';
import { atOnce } from '../conditions.js';
import type { ToolInput } from '../toolSpecs.js';
import { cancellable } from '../lock.js';
import type { Answer } from '../reply.js';
import { sessionWarnings } from '../sessionWarnings.js';
import { stateText } from '../stateText.js';
import {
  type Cursor,
  estimateTokens,
  formatCursor,
  pageForward,
  parseCursor,
  type Patterns,
  readTail,
  searchOutput,
  START,
  type Tail,
} from '../text/index.js';
import { ToolError } from '../toolError.js';
import type { ToolCall, ToolContext } from './toolCall.js';

/** Reads the output of a session in one of five ways, and never waits for more. */
export async function readOutput(
  { sessions, clock, patterns }: ToolContext,
  input: ToolInput<'read_output'>,
  call: ToolCall,
): Promise<Answer> {
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
  return { session, warnings: sessionWarnings(session), ...answer };
}

function gone(session: AgentSession, now: number, reader: KnownAgent): string {
  return session.left === 'removed'
    ? `The output of ${session.name} is gone: a person, or a limit, has taken it off the list.`
    : `The output of ${session.name} is not kept any more, since many others have ended after it. State: ${stateText(session, now, reader)}.`;
}

/** @throws ToolError if the text is no cursor, or one behind the end of the output. */
export function cursorIn(session: AgentSession, text: string, tool: string, property: string): Cursor {
  const cursor = parseCursor(text);
  const last = session.info().output.lastSeq;
  if (cursor === undefined || cursor.afterSeq > last) {
    throw new ToolError(
      `${tool} was not called: "${property}" ${text} is behind the end of the output of ${session.name}, which is at ${last}. Use a cursor out of a reply for this session, or "0".`,
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
  const { text, next, more, gone: goneBytes } = await cancellable(reading, call.signal);
  session.given(call.agent, from, next);
  const cursor = formatCursor(next);
  return {
    outputTokens: estimateTokens(text),
    cursor: next,
    output: more ? `${ended(text)}[... more follows; read_output cursor="${cursor}" has it ...]` : text,
    facts: { more, ...(goneBytes !== undefined && { goneBytes }) },
  };
}

/** The last lines. What the agent has not got yet and is before them stays new. */
async function tail(
  session: AgentSession,
  lines: number,
  input: ToolInput<'read_output'>,
  call: ToolCall,
): Promise<Answer> {
  if (input.cursor !== undefined || input.search !== undefined) {
    throw new ToolError(
      'read_output was not called: "tail" is alone, without "cursor" and "search".',
      session.id,
    );
  }
  const reading = lastLines(session, lines, input.max_output_tokens);
  const { text, lines: shown, from, next, cut } = await cancellable(reading, call.signal);
  if (from !== undefined) {
    session.given(call.agent, from, next);
  }
  const place = from === undefined ? '' : `, from cursor "${formatCursor(from)}" on`;
  const missing = cut ? '; more do not fit into max_output_tokens' : '';
  return {
    lines: [`Last lines: ${shown}${place}${missing}`],
    outputTokens: estimateTokens(text),
    cursor: next,
    output: text,
    facts: { lines: shown, cut, ...(from !== undefined && { from: formatCursor(from) }) },
  };
}

/** Of what memory has, if that is enough; else of what is kept on disk as well, which takes longer. */
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
  const compiled = await patterns.compile(pattern, input.ignore_case).catch((error: unknown) => {
    throw new ToolError(`read_output was not called: "search": ${messageOf(error)}`, session.id);
  });
  const searching = searchOutput(new KeptReader(session.hosted.process), {
    pattern: compiled,
    from: from ?? START,
    maxTokens: input.max_output_tokens,
    signal: call.signal,
    ...session.terminal,
  });
  const { text, total, matches, more, next, gone: goneBytes } = await cancellable(searching, call.signal);
  const shown = more ? `the first ${matches.length} of ${total}` : String(total);
  const rest = `[... more lines match; read_output search with cursor="${formatCursor(next)}" has them ...]`;
  return {
    lines: [`Matching lines: ${shown}`],
    outputTokens: estimateTokens(text),
    output: more ? `${ended(text)}${rest}` : text,
    facts: {
      total,
      more,
      matches: matches.length,
      next: formatCursor(next),
      ...(goneBytes !== undefined && { goneBytes }),
    },
    ...(goneBytes !== undefined && {
      warnings: [
        `${goneBytes > 0 ? `${goneBytes} bytes` : 'some'} of the output are gone and could not be searched.`,
      ],
    }),
  };
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
  const text = lines.join('\n');
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

function ended(text: string): string {
  return text === '' || text.endsWith('\n') ? text : `${text}\n`;
}
