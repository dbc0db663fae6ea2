import { LINE_LENGTH, metadataIn, oneLine, sandboxText, spanText } from '../../core/index.js';
import type { KnownAgent } from '../session/agents.js';
import { type ListedSession, UntakenSession } from '../session/foundSession.js';
import type { AgentEnvironment } from '../host.js';
import type { ToolInput } from '../input/toolSpecs.js';
import { type Answer, exitFacts } from './reply.js';
import type { SessionAgent } from '../session/sessionAgent.js';
import { isOfFolder } from '../session/pastSessions.js';
import { failureText, stateFacts, stateText } from '../session/stateText.js';
import { namedSurvivors } from '../session/stopText.js';
import type { LeftProcess, ToolCall, ToolContext } from './toolCall.js';

/** The length to which the commands of ended sessions are cut: people and models need less of those. */
const ENDED_COMMAND_LENGTH = 80;

/**
 * The most sessions to show, because a model reads the whole list each time. For further ones only numbers are shown.
 */
const SHOWN = { live: 100, ended: 50 };
/** The same for sessions that agents have left. Few agents come back to those. */
const SHOWN_OF_LEFT = { live: 100, ended: 10 };

/**
 * Lists the agent's sessions: first the running ones, then the ended ones, newest first. Then come the running sessions
 * that agents have left. All other sessions are listed only on request.
 */
export async function listSessions(
  { host, sessions, clock, leftByOthers, past }: ToolContext,
  { all }: ToolInput<'list_sessions'>,
  call: ToolCall,
): Promise<Answer> {
  const { agent: reader } = call;
  const listed: readonly ListedSession[] = [...(await sessions.found()), ...sessions.list()];
  const own = listed.filter(({ agent }) => agent.id === reader.id);
  const foreign = listed.filter(({ agent }) => agent.id !== reader.id);
  const left = all ? [] : foreign.filter((session) => isLeftFor(session, reader, host.folder));
  const parts = [partOf(own, SHOWN), partOf(left, SHOWN_OF_LEFT), partOf(all ? foreign : [], SHOWN)] as const;
  const shown = parts.flatMap((part) => part.shown);
  const numbers = new Set(listed.map(({ id }) => id));
  const [stray, before] = await Promise.all([
    // Where the processes cannot be listed, the list names none.
    leftByOthers().catch(() => []),
    past.lines(reader, clock.wallTime(), { listed: numbers, all, folder: host.folder }),
    ...shown.map((session) => session.lookForSurvivors()),
    ...shown.map((session) => session.look.now()),
  ]);
  sessions
    .list(reader)
    .filter((session) => shown.includes(session))
    .forEach((session) => session.stateToldTo(reader));
  const lines = (part: Part) => [
    ...part.shown.map((session) => line(session, clock.wallTime(), reader)),
    ...notShownLine(part.notShown),
  ];
  const [ofOwn, ofLeft, ofOthers] = parts;
  const others = foreign.length - left.length;
  const othersRunning = running(foreign) - running(left);
  return {
    lines: [
      `${counted(own.length)} of yours, ${running(own)} running.`,
      ...lines(ofOwn),
      ...(left.length === 0
        ? []
        : [`${counted(left.length)} left by agents that have gone. A call that names one takes it over.`]),
      ...lines(ofLeft),
      ...(others === 0
        ? []
        : [
            `${counted(others)} of other agents, ${othersRunning} running${all ? '.' : ': all=true lists them.'}`,
          ]),
      ...lines(ofOthers),
      ...before,
      ...strayLines(stray),
      ...(host.notice === undefined ? [] : [host.notice]),
      `Environments: ${host.environments.map(environmentText).join(', ')}`,
    ],
    facts: {
      sessions: shown.map((session) => entry(session, clock.wallTime(), reader)),
      notShown: parts.flatMap((part) => part.notShown),
      environments: host.environments,
      ...(host.notice !== undefined && { notice: host.notice }),
      ...(stray.length > 0 && { leftByEndedServers: stray }),
      running: running(own),
      others,
    },
  };
}

/**
 * Whether its agent has gone. The session has to run, or the reader may be its agent after a restart, with the same
 * name and folder.
 */
function isLeftFor(session: ListedSession, reader: KnownAgent, folder: string | undefined): boolean {
  const { live, agent } = session;
  const isSame =
    session instanceof UntakenSession &&
    agent.givenName === reader.givenName &&
    isOfFolder(metadataIn(session.info().metadata, 'folder'), folder);
  return agent.leftAt !== undefined && (live || isSame);
}

/** The most processes to name that belong to no listed session. */
const NAMED_STRAYS = 5;

function strayLines(stray: readonly LeftProcess[]): readonly string[] {
  return stray.length === 0
    ? []
    : [
        `${stray.length} ${stray.length === 1 ? 'process' : 'processes'} left running by sessions of servers that have ended: ${namedSurvivors(stray, NAMED_STRAYS)}. Only kill PID ends one, if it is not meant to go on.`,
      ];
}

/** Sessions that are listed together. */
interface Part {
  readonly shown: readonly ListedSession[];
  /** The numbers of the others. */
  readonly notShown: readonly number[];
}

function partOf(sessions: readonly ListedSession[], most: typeof SHOWN): Part {
  const live = sessions.filter((session) => session.live);
  const ended = sessions.filter((session) => !session.live).reverse();
  return {
    shown: [...live.slice(0, most.live), ...ended.slice(0, most.ended)],
    notShown: [...live.slice(most.live), ...ended.slice(most.ended)].map(({ id }) => id),
  };
}

function running(sessions: readonly ListedSession[]): number {
  return sessions.filter(({ live }) => live).length;
}

function counted(count: number): string {
  return `${count} ${count === 1 ? 'session' : 'sessions'}`;
}

function notShownLine(numbers: readonly number[]): readonly string[] {
  return numbers.length === 0
    ? []
    : [
        `[... ${numbers.length} more ${numbers.length === 1 ? 'is' : 'are'} not shown; read_output tells the command and the state of each: ${numberRanges(numbers)} ...]`,
      ];
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

function line(session: ListedSession, now: number, reader: KnownAgent): string {
  const { hosted, id, agent } = session;
  const { startedAt, exitedAt, tty, sandbox } = session.info();
  const { live } = session;
  const facts = [
    stateText(session, now, reader),
    live || exitedAt === undefined
      ? `started ${spanText(now - startedAt)} ago`
      : `${spanText(now - exitedAt)} ago, after ${spanText(exitedAt - startedAt)}`,
    ...(live ? [`in ${oneLine(hosted.cwd, LINE_LENGTH)}`, `environment ${hosted.environment.id}`] : []),
    ...(live && tty ? ['terminal'] : []),
    ...(sandbox ? [`sandbox: ${sandboxText(sandbox)}`] : []),
    ...(hosted.title === undefined ? [] : [`"${oneLine(hosted.title, LINE_LENGTH)}"`]),
    ...(live && session.controller === 'person' ? ['a person has control'] : []),
    ...(session.left === undefined ? [] : ['output gone']),
    ...(agent.id === reader.id ? [] : [whose(agent, now, reader)]),
  ];
  const command = live ? session.command : oneLine(hosted.commandLine, ENDED_COMMAND_LENGTH);
  return `Session ${id}: ${command} | ${facts.join(', ')}`;
}

function whose(agent: SessionAgent, now: number, reader: KnownAgent): string {
  const name = agent.nameFor(reader);
  return agent.leftAt === undefined
    ? `of ${name}`
    : `left by ${name} ${spanText(Math.max(0, now - agent.leftAt))} ago`;
}

function entry(session: ListedSession, now: number, reader: KnownAgent) {
  const { hosted, agent, command, controller } = session;
  const { startedAt, exitedAt, exit, failure, tty, sandbox, output, pid } = session.info();
  return {
    ...stateFacts(session, now),
    command,
    agent: agent.name,
    yours: agent.id === reader.id,
    ...(agent.leftAt !== undefined && { leftAt: agent.leftAt }),
    cwd: hosted.cwd,
    environment: hosted.environment.id,
    tty,
    ...(sandbox && { sandbox }),
    controller,
    startedAt,
    outputBytes: output.bytes,
    outputKept: session.left === undefined,
    ...(hosted.title !== undefined && { title: hosted.title }),
    ...(session.survivors.length > 0 && { survivors: session.survivors }),
    ...(pid !== undefined && { pid }),
    ...(exitedAt !== undefined && { exitedAt }),
    ...exitFacts(exit),
    ...(failure && { failure: failureText(failure) }),
  };
}
