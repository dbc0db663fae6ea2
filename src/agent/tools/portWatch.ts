import { type Clock, messageOf, oneLine, type PortListener } from '../../core/index.js';

import type { AgentSession } from '../session/agentSession.js';
import type { AgentSessions } from '../session/agentSessions.js';
import { comes, firstOf, polled, timePasses, type Condition } from '../wait/conditions.js';

/** The time between two looks at a port, in milliseconds. */
export const PORT_POLL_MS = 250;
/** How long the last look at the end of a wait may take, in milliseconds. */
const LAST_LOOK_MS = 1_000;

/**
 * Watches a port of the machine of a session, also while that machine cannot be reached. The port counts as listened on
 * if a process of the session listens, or any process that began to listen after the session's start. For example, the
 * process that publishes the ports of a container is not in the session. Where it cannot be told who listens, every
 * listener counts.
 */
export class PortWatch {
  readonly #session: AgentSession;
  readonly #sessions: AgentSessions;
  readonly #clock: Clock;
  readonly #port: number | undefined;
  #found: readonly PortListener[] = [];
  #met = false;
  /** Why the last question had no answer; undefined if it had one. */
  #problem: string | undefined;

  /** @param port If absent, no port is watched. */
  constructor(port: number | undefined, session: AgentSession, sessions: AgentSessions, clock: Clock) {
    this.#port = port;
    this.#session = session;
    this.#sessions = sessions;
    this.#clock = clock;
  }

  /** Whether it was listened on when it was last looked at. */
  get met(): boolean {
    return this.#met;
  }

  /** The reason why it could not be told whether it is listened on. */
  get problem(): string | undefined {
    return this.#met ? undefined : this.#problem;
  }

  /** The listeners that were found, as a sentence without its final stop; undefined if there are none. */
  get text(): string | undefined {
    if (this.#port === undefined || (!this.#met && this.#found.length === 0)) {
      return undefined;
    }
    const counting = this.#found.filter(counts);
    const told = counting.length > 0 ? counting : this.#found;
    const by =
      told.length > 0 ? listenersText(told, this.#session, this.#sessions) : unknownText(this.#session);
    return `${this.#port} is listened on${by}`;
  }

  listening(): readonly Condition<'port'>[] {
    return this.#port === undefined ? [] : [polled(this.#clock, PORT_POLL_MS, () => this.#look(), 'port')];
  }

  /** Whether a process that does not count listens, which keeps others from the port. */
  async isTaken(): Promise<boolean> {
    return !(await this.#look()) && this.#found.length > 0;
  }

  /** Looks once more, so that the text at the end of a wait is up to date. */
  async lookLast(): Promise<void> {
    const { backend } = this.#session.hosted;
    const isThere = this.#session.process !== undefined && backend.connection.kind === 'connected';
    if (this.#port !== undefined && !this.#met && isThere) {
      await firstOf<unknown>([comes(this.#look()), timePasses(this.#clock, LAST_LOOK_MS, 'time')]);
    }
  }

  async #look(): Promise<boolean> {
    const { process, backend } = this.#session.hosted;
    const port = this.#port ?? 0;
    try {
      if (backend.capabilities.listeners) {
        this.#found = await process.listeners(port);
        this.#met = this.#found.some(counts);
      } else {
        this.#met = await backend.isListening(port);
      }
      this.#problem = undefined;
    } catch (error) {
      this.#problem = messageOf(error);
    }
    return this.#met;
  }
}

function counts({ own, later }: PortListener): boolean {
  return own || later === true;
}

/** The text where it cannot be told who listens at a port. */
function unknownText({ hosted }: AgentSession): string {
  return hosted.backend.capabilities.portProbe === 'list'
    ? ' (this machine does not tell who listens)'
    : ' (a connection was tried, since this machine does not tell who listens)';
}

const COMMAND_LENGTH = 80;
/** Several processes can listen at one port, on several addresses or side by side. */
const MOST_NAMED = 3;
/** A server at one of these addresses is found at `localhost`. */
const USUAL: readonly string[] = ['127.0.0.1', '0.0.0.0', '::'];

/** The processes that listen at a port, as the end of a sentence: ` by node server.js (pid 123, session 3)`. */
function listenersText(
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
  const whose = own ? '' : `, which does not belong to session ${session.id}${since}`;
  return `${at}by ${whoText(listener, session, sessions)}${whose}`;
}

export function whoText(
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
export function sessionOf(
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
