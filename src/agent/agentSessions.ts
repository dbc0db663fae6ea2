import type { Clock } from '../core/index.js';

import { AgentSession } from './agentSession.js';
import { durationText } from './durationText.js';
import type { AgentHost, HostedProcess } from './host.js';
import { stateText } from './stateText.js';
import type { Agent } from './tool.js';
import { ToolError } from './toolError.js';

/** The numbers of sessions that there may be. */
export interface SessionLimits {
  /** Running sessions of one agent. */
  readonly live: number;
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
  warnFrom: 56,
  retained: 64,
  retainedOfAll: 256,
  receipts: 1_000,
};

/** The sessions of all agents, by number. */
export class AgentSessions {
  readonly #host: AgentHost;
  readonly #clock: Clock;
  readonly #limits: SessionLimits;
  /** The sessions by id, in ascending order. */
  readonly #sessions = new Map<number, AgentSession>();
  /** The number of sessions that each agent is starting, by its id. */
  readonly #starting = new Map<string, number>();
  #lastId = 0;
  #disposed = false;

  constructor(host: AgentHost, clock: Clock, limits: SessionLimits) {
    this.#host = host;
    this.#clock = clock;
    this.#limits = limits;
  }

  /** The sessions of one agent, or of all, oldest first. */
  list(agent?: Agent): readonly AgentSession[] {
    const all = [...this.#sessions.values()];
    return agent === undefined ? all : all.filter((session) => session.agent.id === agent.id);
  }

  /** @throws ToolError if there is no session with this id. */
  get(id: number): AgentSession {
    const session = this.#sessions.get(id);
    if (session === undefined) {
      const known = id <= this.#lastId ? 'is not listed any more' : 'does not exist';
      throw new ToolError(`Session ${id} ${known}. list_sessions shows yours.`, id);
    }
    return session;
  }

  /**
   * Starts a session, if the agent may have another one. A process that `start` resolves with is always kept, even if
   * its caller no longer waits.
   *
   * @throws ToolError that lists the sessions that could be stopped. Never ends a process to make room.
   */
  async start(agent: Agent, start: () => Promise<HostedProcess>): Promise<AgentSession> {
    this.#checkLimit(agent);
    this.#starting.set(agent.id, (this.#starting.get(agent.id) ?? 0) + 1);
    try {
      return this.#add(agent, await start());
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
  warning(agent: Agent): string | undefined {
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

  #add(agent: Agent, hosted: HostedProcess): AgentSession {
    this.#lastId += 1;
    const session = new AgentSession({
      id: this.#lastId,
      agent,
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

  #live(agent: Agent): readonly AgentSession[] {
    return this.list(agent).filter(({ live }) => live);
  }

  #checkLimit(agent: Agent): void {
    const live = this.#live(agent);
    const starting = this.#starting.get(agent.id) ?? 0;
    if (live.length + starting < this.#limits.live) {
      return;
    }
    const now = this.#clock.wallTime();
    const lines = live.map((session) => {
      const age = durationText(now - session.info().startedAt);
      return `Session ${session.id}: ${session.command} (${stateText(session, now)}, started ${age} ago)`;
    });
    throw new ToolError(
      [
        `Nothing was started: ${live.length} of your sessions run${starting === 0 ? '' : `, ${starting} more are being started`}, and ${this.#limits.live} is the limit. Stop one that you do not need with stop_session, then try again.${lines.length === 0 ? '' : ' Oldest first:'}`,
        ...lines,
      ].join('\n'),
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
