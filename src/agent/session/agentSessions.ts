import {
  type Clock,
  type NumberOrigin,
  type ProcessMetadata,
  type SessionNumbers,
  spanText,
} from '../../core/index.js';

import { AgentSession } from './agentSession.js';
import type { KnownAgent } from './agents.js';
import { UntakenSession } from './foundSession.js';
import type { AgentHost, HostedProcess } from '../host.js';
import { Lock } from './lock.js';
import type { PastSessions } from './pastSessions.js';
import { stateText } from './stateText.js';
import { ToolError } from '../toolError.js';

/** The numbers of sessions that there may be. */
export interface SessionLimits {
  /** Running sessions of one agent. */
  readonly live: number;
  /** Running sessions of all agents together, because agents that have gone may have left some. */
  readonly liveOfAll: number;
  /** From this number on, its replies carry a warning. */
  readonly warnFrom: number;
  /** Ended sessions of one agent whose output is kept. */
  readonly retained: number;
  /** The same for all agents together, because the number of agents is unbounded. */
  readonly retainedOfAll: number;
  /** Ended sessions of all agents together that are still listed. */
  readonly receipts: number;
}

export const DEFAULT_SESSION_LIMITS: SessionLimits = {
  live: 64,
  liveOfAll: 256,
  warnFrom: 56,
  retained: 64,
  retainedOfAll: 256,
  receipts: 1_000,
};

/** The sessions of all agents, by number. */
export class AgentSessions {
  /** For a start whose process the next start must see. */
  readonly starts = new Lock();
  readonly #host: AgentHost;
  readonly #clock: Clock;
  readonly #limits: SessionLimits;
  readonly #numbers: SessionNumbers;
  readonly #past: PastSessions;
  /** The sessions by number, in the order of their start. */
  readonly #sessions = new Map<number, AgentSession>();
  /** The number of sessions that each agent is starting, by its id. */
  readonly #starting = new Map<string, number>();
  readonly #taking = new Map<number, Promise<AgentSession | undefined>>();
  #disposed = false;

  constructor(options: {
    host: AgentHost;
    clock: Clock;
    limits: SessionLimits;
    numbers: SessionNumbers;
    past: PastSessions;
  }) {
    this.#past = options.past;
    this.#host = options.host;
    this.#clock = options.clock;
    this.#limits = options.limits;
    this.#numbers = options.numbers;
  }

  /** The sessions of one agent, or of all, oldest first. */
  list(agent?: KnownAgent): readonly AgentSession[] {
    const all = [...this.#sessions.values()];
    return agent === undefined ? all : all.filter((session) => session.agent.id === agent.id);
  }

  /** The ids of the agents that have sessions, or are starting some. */
  owners(): ReadonlySet<string> {
    return new Set([...this.list().map(({ agent }) => agent.id), ...this.#starting.keys()]);
  }

  /**
   * The sessions of agents of other programs and of earlier runs of this one, oldest first. A session that an agent of
   * this program has used is not among them.
   */
  async found(): Promise<readonly UntakenSession[]> {
    const there = (await this.#host.find?.()) ?? [];
    const byNumber = new Map<number, UntakenSession>();
    for (const session of there.map((each) => UntakenSession.of(each, this.#clock))) {
      if (session !== undefined && !this.#sessions.has(session.id) && !byNumber.has(session.id)) {
        byNumber.set(session.id, session);
      }
    }
    return [...byNumber.values()];
  }

  /**
   * A session for an agent that uses it. If its own agent has gone, the caller takes it over.
   *
   * @throws ToolError if there is no session with this id.
   */
  async get(id: number, agent: KnownAgent): Promise<AgentSession> {
    const session = await this.find(id, agent);
    if (session === undefined) {
      const past = await this.#past.textOf(id, this.#clock.wallTime());
      throw new ToolError(
        past === undefined
          ? `Session ${id} ${whyUnknown(this.#numbers.originOf(id))} list_sessions shows yours.`
          : `Session ${id} ${past}`,
        id,
      );
    }
    return session;
  }

  /** Like {@link get}, but returns undefined if no session has this id. */
  async find(id: number, agent: KnownAgent): Promise<AgentSession | undefined> {
    const session = this.#sessions.get(id) ?? (await this.#take(id));
    session?.usedBy(agent);
    return session;
  }

  /**
   * Starts a session, if the agent may have another one. If `start` resolves, its process is always kept, even if the
   * caller no longer waits.
   *
   * @param remember Metadata to store with its process.
   * @throws ToolError that lists the sessions that could be stopped. Never ends a process to make room.
   */
  async start(
    agent: KnownAgent,
    start: () => Promise<HostedProcess>,
    remember?: ProcessMetadata,
  ): Promise<AgentSession> {
    this.#checkLimit(agent);
    this.#starting.set(agent.id, (this.#starting.get(agent.id) ?? 0) + 1);
    try {
      const hosted = await start();
      return this.#add(await this.#numbers.next(), hosted, agent, remember);
    } finally {
      const left = (this.#starting.get(agent.id) ?? 1) - 1;
      if (left > 0) {
        this.#starting.set(agent.id, left);
      } else {
        this.#starting.delete(agent.id);
      }
    }
  }

  /** The warning for an agent that is near its limit. */
  warning(agent: KnownAgent): string | undefined {
    const count = this.#live(agent).length;
    return count < this.#limits.warnFrom
      ? undefined
      : `${count} of your sessions run, of at most ${this.#limits.live}. Stop those that you do not need: list_sessions shows them.`;
  }

  /** Releases every process. */
  dispose(): void {
    this.#disposed = true;
    for (const session of this.#sessions.values()) {
      session.release();
    }
  }

  /** Takes hold of a session that was found. Calls that use it at the same time share one attempt. */
  #take(id: number): Promise<AgentSession | undefined> {
    const taking = this.#taking.get(id) ?? this.#takeNow(id).finally(() => this.#taking.delete(id));
    this.#taking.set(id, taking);
    return taking;
  }

  async #takeNow(id: number): Promise<AgentSession | undefined> {
    const session = (await this.found()).find((each) => each.id === id);
    const hosted = await session?.take(this.#clock).catch(() => undefined);
    const taken = hosted && this.#add(id, hosted);
    // A list may have named the processes that it has left running, and a call may then end one.
    await taken?.lookForSurvivors();
    return taken;
  }

  /** @param agent Undefined if it was found. */
  #add(id: number, hosted: HostedProcess, agent?: KnownAgent, remember?: ProcessMetadata): AgentSession {
    const session = new AgentSession({
      id,
      agent,
      remember,
      hosted,
      host: this.#host,
      clock: this.#clock,
    });
    this.#sessions.set(session.id, session);
    if (this.#disposed) {
      session.release();
    }
    this.#makeRoom();
    return session;
  }

  #live(agent: KnownAgent): readonly AgentSession[] {
    return this.list(agent).filter(({ live }) => live);
  }

  /** @throws ToolError if the agent, or all agents together, may have no other session. */
  #checkLimit(agent: KnownAgent): void {
    const own = this.#live(agent);
    const starting = this.#starting.get(agent.id) ?? 0;
    if (own.length + starting >= this.#limits.live) {
      const more = starting === 0 ? '' : `, ${starting} more are being started`;
      throw this.#refusal(
        agent,
        `${own.length} of your sessions run${more}, and ${this.#limits.live} is the limit. Stop one that you do not need`,
        own,
      );
    }
    const all = this.list().filter(({ live }) => live);
    const allStarting = [...this.#starting.values()].reduce((sum, count) => sum + count, 0);
    if (all.length + allStarting >= this.#limits.liveOfAll) {
      const left = all.filter((session) => session.agent.leftAt !== undefined);
      throw this.#refusal(
        agent,
        `the sessions of all agents are at their limit of ${this.#limits.liveOfAll}. Stop one of yours, or one that an agent has left,`,
        [...left, ...own],
      );
    }
  }

  #refusal(agent: KnownAgent, why: string, sessions: readonly AgentSession[]): ToolError {
    const now = this.#clock.wallTime();
    const lines = sessions.map((session) => {
      const age = spanText(now - session.info().startedAt);
      return `Session ${session.id}: ${session.command} (${stateText(session, now, agent)}, started ${age} ago)`;
    });
    const order = lines.length === 0 ? '' : ' Oldest first:';
    return new ToolError(
      [`Nothing was started: ${why} with stop_session, then try again.${order}`, ...lines].join('\n'),
    );
  }

  /** The oldest of the ended sessions lose their output first, and later their place in the list. */
  #makeRoom(): void {
    const ended = this.list().filter(({ live }) => !live);
    const kept = ended.filter(({ process }) => process !== undefined);
    const countOf = new Map<string, number>();
    for (const { agent } of kept) {
      countOf.set(agent.id, (countOf.get(agent.id) ?? 0) + 1);
    }
    let ofAll = kept.length;
    for (const session of kept) {
      const own = countOf.get(session.agent.id) ?? 0;
      if (own > this.#limits.retained || ofAll > this.#limits.retainedOfAll) {
        session.release();
        countOf.set(session.agent.id, own - 1);
        ofAll -= 1;
      }
    }
    for (const { id } of ended.slice(0, Math.max(0, ended.length - this.#limits.receipts))) {
      this.#sessions.get(id)?.release();
      this.#sessions.delete(id);
    }
  }
}

/** The rest of a sentence, and what to do, about a number that is not in the list. */
function whyUnknown(origin: NumberOrigin): string {
  switch (origin.kind) {
    case 'own':
      return 'is not listed any more.';
    case 'ended':
      return 'belonged to another server, which has ended with its sessions. list_sessions names processes that they have left running. Start the command again if you need it.';
    case 'running':
      return `belongs to another server, which still runs (process ${origin.pid}): another window of VS Code, or another exec-server mcp. It cannot be used from here.`;
    case 'elsewhere':
      return 'belongs to a server on another machine or in another container. It cannot be used from here.';
    case 'unknown':
      return 'does not exist.';
  }
}
