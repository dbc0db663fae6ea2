import { type Disposable, nothingToDispose, type ProcessMetadata } from '../../core/index.js';

import type { KnownAgent } from './agents.js';
import { belongingIn } from './belonging.js';
import { ForeignAgent, type SessionAgent } from './sessionAgent.js';
import type { SessionMemory } from './sessionMemory.js';

/** The agent that a session belongs to, in whatever program: it has started the session or taken it over. */
export class SessionOwner implements Disposable {
  readonly #metadata: () => ProcessMetadata;
  readonly #memory: SessionMemory;
  #agent: SessionAgent;
  /** Follows its agent, if that is one of this program. */
  #moves: Disposable = nothingToDispose;

  /** Serves sessions that were found: their agent belongs to another program. */
  constructor(metadata: () => ProcessMetadata, memory: SessionMemory) {
    this.#metadata = metadata;
    this.#memory = memory;
    this.#agent = new ForeignAgent(metadata);
  }

  get agent(): SessionAgent {
    const { agent } = belongingIn(this.#metadata()) ?? {};
    const isTaken = agent !== undefined && agent.id !== this.#agent.id && !this.#memory.writing;
    if (isTaken) {
      // An agent of another program has taken over a session that an agent of this program had left.
      this.#moves.dispose();
      this.#agent = new ForeignAgent(this.#metadata);
    }
    return this.#agent;
  }

  /** Whether its agent belongs to another program. The metadata then tells that agent what happens to the session. */
  get isElsewhere(): boolean {
    return this.agent instanceof ForeignAgent;
  }

  /** @param remember Further metadata to store with the process. */
  becomes(agent: KnownAgent, remember?: ProcessMetadata): void {
    this.#agent = agent;
    this.#memory.belongsTo(agent, remember);
    this.#moves.dispose();
    this.#moves = agent.onDidMove(() => this.#memory.left(agent));
  }

  dispose(): void {
    this.#moves.dispose();
  }
}
