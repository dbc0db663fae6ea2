import { busyPortIn, type PortListener, wantedPorts } from '../../core/index.js';

import type { AgentSession } from '../session/agentSession.js';
import type { AgentSessions } from '../session/agentSessions.js';
import { sessionOf, whoText } from './portWatch.js';
import { comes, firstOf, timePasses } from '../wait/conditions.js';
import type { Answer } from './reply.js';
import type { ToolContext } from './toolCall.js';

/** How long a look at a port may take, in milliseconds. */
const LOOK_MS = 1_000;

/** The line about the process that holds the port which a command could not have, if its new output says that. */
export async function portHolderText(
  { session, output, isNew }: Answer,
  { sessions, clock }: Pick<ToolContext, 'sessions' | 'clock'>,
): Promise<string | undefined> {
  const busy = isNew === true && output !== undefined ? busyPortIn(output) : undefined;
  if (session?.process === undefined || busy === undefined) {
    return undefined;
  }
  const { process, hosted } = session;
  const canTell = hosted.backend.capabilities.listeners && hosted.backend.connection.kind === 'connected';
  const ports = busy.port === undefined ? wantedPorts({ argv: process.info().argv, env: {} }) : [busy.port];
  for (const port of canTell ? ports : []) {
    const looking = process.listeners(port).catch((): readonly PortListener[] => []);
    const listeners = await firstOf([comes(looking), timePasses(clock, LOOK_MS, [])]);
    const holder = listeners.find(({ own }) => !own);
    if (holder !== undefined) {
      return `Port ${port} is held by ${holderText(holder, session, sessions)}`;
    }
  }
  return undefined;
}

function holderText(holder: PortListener, session: AgentSession, sessions: AgentSessions): string {
  const other = sessionOf(holder.processId, session, sessions);
  return other?.shortName ?? whoText(holder, session, sessions);
}
