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
  sessions.forEach((session) => {
    checkPort(session, input.port);
    checkAsks(session, input.asks);
  });
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

/** @throws ToolError if this machine cannot tell whether a port is listened on. */
function checkPort({ hosted, name, id }: AgentSession, port: number | undefined): void {
  if (port !== undefined && !hosted.backend.capabilities.portProbe) {
    throw new ToolError(
      `wait_for was not called: whether a port is listened on cannot be told on the machine of ${name}. Wait for a line of its output with "pattern" instead.`,
      id,
    );
  }
}

/** @throws ToolError if it cannot be told whether its program asks. */
function checkAsks(session: AgentSession, asks: boolean): void {
  if (asks && !session.look.findsQuestions) {
    const where = session.info().tty ? 'on the machine of' : 'without a terminal, as in';
    throw new ToolError(
      `wait_for was not called: whether a program asks cannot be told ${where} ${session.name}. Wait for a line of its output with "pattern" instead.`,
      session.id,
    );
  }
}
