import { type MissingEnd, oneLine } from '../../core/index.js';
import { cancellable } from '../session/lock.js';
import type { PastSession } from '../session/pastSessions.js';
import type { Answer } from './reply.js';
import {
  type Cursor,
  pageForward,
  parseCursor,
  type Patterns,
  readTail,
  searchOutput,
  START,
} from '../text/index.js';
import { ToolError } from '../toolError.js';
import type { ToolInput } from '../input/toolSpecs.js';
import { checkTailIsAlone, compiled, pageAnswer, searchAnswer, tailAnswer } from './outputAnswers.js';
import type { ToolCall } from './toolCall.js';

const COMMAND_LENGTH = 80;
/** The columns for its output, because the width of its terminal is not known any more. */
const COLUMNS = 80;

/** Reads the output on disk of a session that no list has any more: its last lines, the lines that match, or a page. */
export async function readPastOutput(
  session: PastSession,
  patterns: Patterns,
  input: ToolInput<'read_output'>,
  call: ToolCall,
): Promise<Answer> {
  if (input.mode === 'screen') {
    throw new ToolError(
      `Session ${session.number} ${session.endText}: it has no screen any more. Leave "mode" out to read its output.`,
      session.number,
    );
  }
  const answer = await cancellable(read(session, patterns, input, call.signal), call.signal);
  return {
    ...answer,
    lines: [
      `Session ${session.number}: ${oneLine(session.commandLine, COMMAND_LENGTH)}`,
      `State: ${session.endText}; this is its output on disk${endText(session.missingEnd)}`,
      ...(answer.lines ?? []),
    ],
    facts: {
      session: session.number,
      state: session.lost ? 'lost' : 'closed',
      past: true,
      ...endFacts(session.missingEnd),
      ...answer.facts,
    },
  };
}

/** The part that is missing at the end, as the rest of a sentence. */
function endText(missing: MissingEnd | undefined): string {
  if (missing === undefined) {
    return '';
  }
  const { bytes } = missing;
  return bytes === undefined ? ', whose end may be missing' : `, without the last ${bytes} bytes`;
}

function endFacts(missing: MissingEnd | undefined): object {
  return missing === undefined
    ? {}
    : { endMissing: true, ...(missing.bytes !== undefined && { endMissingBytes: missing.bytes }) };
}

async function read(
  { output, tty }: PastSession,
  patterns: Patterns,
  input: ToolInput<'read_output'>,
  signal: AbortSignal,
): Promise<Answer> {
  const maxTokens = input.max_output_tokens;
  const terminal = { tty, columns: COLUMNS };
  if (input.tail !== undefined) {
    checkTailIsAlone(input);
    const { tail: lines } = input;
    const all = { first: 0, last: Number.POSITIVE_INFINITY, mixed: true };
    return tailAnswer(await readTail(output, { lines, maxTokens, ...all, ...terminal }));
  }
  const from = cursorOf(input);
  if (input.search !== undefined) {
    const pattern = await compiled(patterns, input.search, input);
    return searchAnswer(await searchOutput(output, { pattern, from, maxTokens, signal, ...terminal }));
  }
  return pageAnswer(await pageForward(output, { from, maxTokens, ...terminal }));
}

/** @throws ToolError */
function cursorOf({ cursor, session }: ToolInput<'read_output'>): Cursor {
  const parsed = cursor === undefined ? START : parseCursor(cursor);
  if (parsed === undefined) {
    throw new ToolError(
      `read_output was not called: "cursor" ${cursor ?? ''} is not a cursor of session ${session}. Use one out of a reply for it, or "0".`,
      session,
    );
  }
  return parsed;
}
