import type { AgentSession } from '../agentSession.js';
import { oneLine } from '../oneLine.js';
import { durationText } from '../durationText.js';
import type { AgentEnvironment } from '../host.js';
import type { ToolInput } from '../toolSpecs.js';
import type { Answer } from '../reply.js';
import { failureText, stateName, stateText } from '../stateText.js';
import { namedSurvivors } from '../stopText.js';
import type { ToolCall, ToolContext } from './toolCall.js';

/** The length to which the commands of ended sessions are cut: people and models need less of those. */
const ENDED_COMMAND_LENGTH = 80;

/** The most sessions to show, because a model has to read the whole list each time. Further ones are only numbers. */
const SHOWN = { live: 100, ended: 50 };

/** Lists sessions, the running ones first, then those that have ended, newest first. */
export async function listSessions(
  { host, sessions, clock }: ToolContext,
  { all }: ToolInput<'list_sessions'>,
  call: ToolCall,
): Promise<Answer> {
  const listed = sessions.list(all ? undefined : call.agent);
  const live = listed.filter((session) => session.live);
  const ended = listed.filter((session) => !session.live).reverse();
  const now = clock.wallTime();
  const shown = [...live.slice(0, SHOWN.live), ...ended.slice(0, SHOWN.ended)];
  await Promise.all(shown.map((session) => session.lookForSurvivors()));
  const notShown = [...live.slice(SHOWN.live), ...ended.slice(SHOWN.ended)].map(({ id }) => id);
  const whose = all ? 'of all agents' : 'of yours';
  return {
    lines: [
      `${listed.length} ${listed.length === 1 ? 'session' : 'sessions'} ${whose}, ${live.length} running.`,
      ...shown.map((session) => line(session, { now, all })),
      ...(notShown.length === 0
        ? []
        : [
            `[... ${notShown.length} more ${notShown.length === 1 ? 'is' : 'are'} not shown; read_output tells the command and the state of each: ${numberRanges(notShown)} ...]`,
          ]),
      `Environments: ${host.environments.map(environmentText).join(', ')}`,
    ],
    facts: {
      sessions: shown.map((session) => entry(session)),
      notShown,
      environments: host.environments,
      running: live.length,
    },
  };
}

function environmentText({ id, label, terminals }: AgentEnvironment, index: number): string {
  const notes = [
    ...(index === 0 ? [', the default'] : []),
    ...(terminals === false ? [', without terminals'] : []),
  ];
  return `${id} (${label}${notes.join('')})`;
}

/** Numbers as ranges, for example `1-3, 7`. */
function numberRanges(numbers: readonly number[]): string {
  const ranges: { from: number; to: number }[] = [];
  for (const number of [...numbers].sort((one, other) => one - other)) {
    const last = ranges.at(-1);
    if (last?.to === number - 1) {
      last.to = number;
    } else {
      ranges.push({ from: number, to: number });
    }
  }
  return ranges.map(({ from, to }) => (from === to ? `${from}` : `${from}-${to}`)).join(', ');
}

function line(session: AgentSession, { now, all }: { readonly now: number; readonly all: boolean }): string {
  const { hosted, id, agent } = session;
  const { startedAt, exitedAt, tty } = session.info();
  const { live } = session;
  const facts = [
    stateText(session, now),
    ...(session.survivors.length === 0 ? [] : [`left running: ${namedSurvivors(session.survivors)}`]),
    live || exitedAt === undefined
      ? `started ${durationText(now - startedAt)} ago`
      : `${durationText(now - exitedAt)} ago, after ${durationText(exitedAt - startedAt)}`,
    ...(live ? [`in ${oneLine(hosted.cwd)}`, `environment ${hosted.environment.id}`] : []),
    ...(live && tty ? ['terminal'] : []),
    ...(hosted.title === undefined ? [] : [`"${oneLine(hosted.title)}"`]),
    ...(live && session.controller === 'person' ? ['a person has control'] : []),
    ...(session.left === undefined ? [] : ['output gone']),
    ...(all ? [`agent ${oneLine(agent.name, 60)}`] : []),
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
    agent: agent.name,
    cwd: hosted.cwd,
    environment: hosted.environment.id,
    tty,
    controller,
    startedAt,
    outputBytes: output.bytes,
    outputKept: session.left === undefined,
    ...(hosted.title !== undefined && { title: hosted.title }),
    ...(session.survivors.length > 0 && { survivors: session.survivors }),
    ...(pid !== undefined && { pid }),
    ...(exitedAt !== undefined && { exitedAt }),
    ...(exit && { exitCode: exit.exitCode, ...(exit.signal !== undefined && { signal: exit.signal }) }),
    ...(failure && { failure: failureText(failure) }),
  };
}
