import { type InTheWay, oneLine, spanText } from '../../core/index.js';
import type { KnownAgent } from '../session/agents.js';
import type { AgentSessions } from '../session/agentSessions.js';
import { belongingIn } from '../session/belonging.js';
import { ForeignAgent } from '../session/sessionAgent.js';

const NAME_LENGTH = 80;

/** Why a command was not started, and what to do instead. */
export function inTheWayText(
  { same, port, info, listener }: InTheWay,
  { reader, sessions, now }: { reader: KnownAgent; sessions: AgentSessions; now: number },
): string {
  // The metadata of a session that has just been started may not have its number yet.
  const known = sessions.list().find(({ hosted }) => hosted.process.processId === info?.processId);
  const number = known?.id ?? (info && belongingIn(info.metadata)?.number);
  const session = number === undefined ? 'a session of a person' : `session ${number}`;
  if (!same || info === undefined) {
    const pid = listener?.pid === undefined ? '' : ` (pid ${listener.pid})`;
    const program = `${oneLine(listener?.command ?? 'a program that cannot be seen from here', NAME_LENGTH)}${pid}`;
    return `Nothing was started: port ${port} is taken by ${program}, ${info ? session : 'which is no session'}. End it if it is yours, take another port, or call again with again=true.`;
  }
  const { id, name } = known?.agent ?? new ForeignAgent(() => info.metadata);
  const starter = id === reader.id ? 'you' : number === undefined ? 'a person' : name;
  const tools = 'reuse it (wait_for, read_output), restart it (stop_session, then exec_command)';
  const reuse = number === undefined ? 'use it at its port' : tools;
  return `Nothing was started: it runs as ${session} for ${spanText(now - info.startedAt)}, port ${port}, started by ${starter}: ${reuse}, or call again with again=true.`;
}
