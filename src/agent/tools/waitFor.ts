import type { AgentSession } from '../session/agentSession.js';
import type { Answer } from './reply.js';
import { ToolError } from '../toolError.js';
import type { ToolInput } from '../input/toolSpecs.js';
import { waitInSeveral } from './severalWaits.js';
import { waitInSession } from './sessionWait.js';
import type { ToolCall, ToolContext } from './toolCall.js';

/** Waits until the first of the given conditions is met, in one session, or in the first or all of several. */
export async function waitFor(
  context: ToolContext,
  given: ToolInput<'wait_for'>,
  call: ToolCall,
): Promise<Answer> {
  const sessions = await sessionsOf(context, given, call);
  const input = withCondition(given);
  sessions.forEach((session) => checkTold(session, input));
  const [session, ...others] = sessions;
  return session !== undefined && others.length === 0
    ? waitInSession(session, input, call, context)
    : waitInSeveral(sessions, input, call, context);
}

/** @throws ToolError unless there is one of these sessions at least. */
function sessionsOf(
  { sessions }: ToolContext,
  { session, sessions: several = [], from }: ToolInput<'wait_for'>,
  { agent }: ToolCall,
): Promise<readonly AgentSession[]> {
  const ids = [...new Set([...(session === undefined ? [] : [session]), ...several])];
  if (ids.length === 0) {
    throw new ToolError('wait_for was not called: give "session", or "sessions" for several.');
  }
  if (ids.length > 1 && from !== undefined) {
    throw new ToolError(
      'wait_for was not called: "from" is a cursor of one session, and needs "session" alone.',
    );
  }
  return Promise.all(ids.map((id) => sessions.get(id, agent)));
}

/** Without any condition, the wait is for the exit. */
function withCondition(input: ToolInput<'wait_for'>): ToolInput<'wait_for'> {
  const { closed, asks, pattern, port, quiet_ms: quietMs } = input;
  const none = !closed && !asks && pattern === undefined && port === undefined && quietMs === undefined;
  return none ? { ...input, exit: true } : input;
}

/** @throws ToolError if it cannot be told whether a port is listened on, or whether the program asks. */
function checkTold(session: AgentSession, { port, asks }: ToolInput<'wait_for'>): void {
  const { portProbe, inputWait } = session.hosted.backend.capabilities;
  const { tty } = session.info();
  const unknown = [
    ...(port !== undefined && !portProbe ? ['a port is listened on cannot be told on the machine of'] : []),
    ...(asks && !inputWait ? ['a program asks cannot be told on the machine of'] : []),
    ...(asks && !tty ? ['a program asks cannot be told without a terminal, as in'] : []),
  ];
  if (unknown.length > 0) {
    throw new ToolError(
      `wait_for was not called: whether ${unknown[0]} ${session.name}. Wait for a line of its output with "pattern" instead.`,
      session.id,
    );
  }
}
