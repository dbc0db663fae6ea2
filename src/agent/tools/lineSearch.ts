import { messageOf } from '../../core/index.js';

import type { AgentSession } from '../session/agentSession.js';
import { PatternSink } from '../wait/patternSink.js';
import { type Cursor, formatCursor, type Patterns, SinceInput, START } from '../text/index.js';
import { ToolError } from '../toolError.js';
import type { ToolInput } from '../input/toolSpecs.js';
import { cursorIn } from './readOutput.js';
import type { ToolCall } from './toolCall.js';

/** The search for a line during a wait. */
export interface LineSearch {
  readonly sink: PatternSink;
  /** The number of the output behind which it reads. */
  readonly afterSeq: number;
  /** Where the lines that count begin, if that is the agent's last input. */
  readonly sinceInput: string | undefined;
}

/**
 * Lines count from `from` on; without it from the agent's last input on, or from the start of the session. In a
 * terminal the echo of input is none, and older output is read as well, because what comes later is written over it.
 *
 * @throws ToolError if the pattern or the cursor is wrong.
 */
export async function searchLines(
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
  const compiled = await patterns.compile(pattern, input.ignore_case).catch((error: unknown) => {
    throw new ToolError(`wait_for was not called: "pattern": ${messageOf(error)}`, session.id);
  });
  const options = {
    pattern: compiled,
    ...terminal,
    from,
    since: terminal.tty ? new SinceInput(last, () => inputs.all) : undefined,
    shownThrough: session.cursorOf(call.agent),
  };
  return {
    sink: new PatternSink(options, last ?? 0),
    afterSeq: from.afterSeq,
    sinceInput: lastInput && formatCursor(lastInput),
  };
}
