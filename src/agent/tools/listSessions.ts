import type { AgentSession } from '../agentSession.js';
import { oneLine } from '../commandText.js';
import { durationText } from '../durationText.js';
import type { ToolInput } from '../input.js';
import type { Answer } from '../reply.js';
import { stateName, stateText } from '../stateText.js';
import type { ToolCall, ToolContext } from './toolCall.js';

/** Of one that has ended, people and models need less. */
const ENDED_COMMAND_LENGTH = 80;

/** Lists sessions, the running ones first, then those that have ended, newest first. */
export function listSessions(
  { host, registry, clock }: ToolContext,
  { all }: ToolInput<'list_sessions'>,
  call: ToolCall,
): Promise<Answer> {
  const sessions = registry.list(all ? undefined : call.agent);
  const live = sessions.filter((session) => session.live);
  const ended = sessions.filter((session) => !session.live).reverse();
  const now = clock.now();
  const ordered = [...live, ...ended];
  const whose = all ? 'of all agents' : 'of yours';
  return Promise.resolve({
    lines: [
      `${sessions.length} ${sessions.length === 1 ? 'session' : 'sessions'} ${whose}, ${live.length} running.`,
      ...ordered.map((session) => line(session, { now, all })),
      `Environments: ${host.environments.map(({ id, label }, index) => `${id} (${label}${index === 0 ? ', the default' : ''})`).join(', ')}`,
    ],
    facts: {
      sessions: ordered.map((session) => entry(session)),
      environments: host.environments,
      running: live.length,
    },
  });
}

function line(session: AgentSession, { now, all }: { readonly now: number; readonly all: boolean }): string {
  const { hosted, id, agent } = session;
  const { startedAt, exitedAt, tty } = session.info();
  const { live } = session;
  const facts = [
    stateText(session, now),
    live || exitedAt === undefined
      ? `started ${durationText(now - startedAt)} ago`
      : `${durationText(now - exitedAt)} ago, after ${durationText(exitedAt - startedAt)}`,
    ...(live ? [`in ${hosted.cwd}`, `environment ${hosted.environment.id}`] : []),
    ...(live && tty ? ['terminal'] : []),
    ...(hosted.title === undefined ? [] : [`"${oneLine(hosted.title)}"`]),
    ...(live && session.controller === 'person' ? ['a person has control'] : []),
    ...(session.left === undefined ? [] : ['output gone']),
    ...(all ? [`agent ${oneLine(agent, 60)}`] : []),
  ];
  const command = live ? session.command : oneLine(hosted.commandLine, ENDED_COMMAND_LENGTH);
  return `Session ${id}: ${command} | ${facts.join(', ')}`;
}

function entry(session: AgentSession) {
  const { hosted, id, agent, command, controller } = session;
  const { startedAt, exitedAt, exit, failure, tty, output, pid } = session.info();
  return {
    session: id,
    state: stateName(session),
    command,
    agent,
    cwd: hosted.cwd,
    environment: hosted.environment.id,
    tty,
    controller,
    startedAt,
    outputBytes: output.bytes,
    outputKept: session.left === undefined,
    ...(hosted.title !== undefined && { title: hosted.title }),
    ...(pid !== undefined && { pid }),
    ...(exitedAt !== undefined && { exitedAt }),
    ...(exit && { exitCode: exit.exitCode, ...(exit.signal !== undefined && { signal: exit.signal }) }),
    ...(failure !== undefined && { failure }),
  };
}
