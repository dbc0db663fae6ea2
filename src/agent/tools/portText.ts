import { oneLine, type PortListener } from '../../core/index.js';

import type { AgentSession } from '../session/agentSession.js';
import type { AgentSessions } from '../session/agentSessions.js';

/** The text where it cannot be told who listens at a port. */
export function unknownText({ hosted }: AgentSession): string {
  return hosted.backend.capabilities.portProbe === 'list'
    ? ' (by whom this machine does not tell)'
    : ' (a connection was tried, since this machine does not tell who listens)';
}

const COMMAND_LENGTH = 80;
/** Several processes can listen at one port, on several addresses or side by side. */
const MOST_NAMED = 3;
/** A server at one of these addresses is found at `localhost`. */
const USUAL: readonly string[] = ['127.0.0.1', '0.0.0.0', '::'];

/** The processes that listen at a port, as the end of a sentence: ` by node server.js (pid 123, session 3)`. */
export function listenersText(
  listeners: readonly PortListener[],
  session: AgentSession,
  sessions: AgentSessions,
): string {
  const named = listeners.slice(0, MOST_NAMED).map((listener) => listenerText(listener, session, sessions));
  const more = listeners.length - named.length;
  return ` ${named.join(', and ')}${more > 0 ? `, and ${more} more` : ''}`;
}

function listenerText(listener: PortListener, session: AgentSession, sessions: AgentSessions): string {
  const { addresses, own, later } = listener;
  const isUsual = addresses.some((address) => USUAL.includes(address));
  const at = isUsual ? '' : `at ${oneLine(addresses.slice(0, MOST_NAMED).join(', '), COMMAND_LENGTH)} `;
  const since =
    later === undefined
      ? ''
      : later
        ? ' but has begun to listen after its start'
        : ' and has listened since before its start';
  const whose = own ? '' : `, which is not of session ${session.id}${since}`;
  return `${at}by ${whoText(listener, session, sessions)}${whose}`;
}

function whoText(
  { pid, command, user, own, processId }: PortListener,
  session: AgentSession,
  sessions: AgentSessions,
): string {
  if (pid === undefined) {
    return `a process of ${user === undefined ? 'another user' : `the user ${oneLine(user, COMMAND_LENGTH)}`} that cannot be seen from here`;
  }
  const name = command === undefined ? 'a process' : oneLine(command, COMMAND_LENGTH);
  const owner = own ? session : sessionOf(processId, session, sessions);
  const ofSession =
    owner !== undefined ? `, session ${owner.id}` : processId === undefined ? '' : ', another session';
  return `${name} (pid ${pid}${ofSession})`;
}

/** The session of another process of the same backend, if agents know it. */
function sessionOf(
  processId: string | undefined,
  { hosted: { backend } }: AgentSession,
  sessions: AgentSessions,
): AgentSession | undefined {
  return processId === undefined
    ? undefined
    : sessions
        .list()
        .find(({ hosted }) => hosted.backend === backend && hosted.process.processId === processId);
}
