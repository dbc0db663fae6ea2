import { type Disposable, nothingToDispose, type ProcessMetadata } from '../../core/index.js';

import type { KnownAgent } from './agents.js';
import { belongingIn } from './belonging.js';
import { ForeignAgent, type SessionAgent } from './sessionAgent.js';
import type { SessionMemory } from './sessionMemory.js';

/** The agent that a session belongs to: the one that has started it, or taken it over, in whatever program. */
export class SessionOwner implements Disposable {
  readonly #metadata: () => ProcessMetadata;
  readonly #memory: SessionMemory;
  #agent: SessionAgent;
  /** Follows its agent, if that is one of this program. */
  #moves: Disposable = nothingToDispose;

  /** Of a session that was found, whose agent is none of this program. */
  constructor(metadata: () => ProcessMetadata, memory: SessionMemory) {
    this.#metadata = metadata;
    this.#memory = memory;
    this.#agent = new ForeignAgent(metadata);
  }

  get agent(): SessionAgent {
    const { agent } = belongingIn(this.#metadata()) ?? {};
    const isTaken = agent !== undefined && agent.id !== this.#agent.id && !this.#memory.writing;
    if (isTaken) {
      // An agent of another program has taken over what one of this program had left.
      this.#moves.dispose();
      this.#agent = new ForeignAgent(this.#metadata);
    }
    return this.#agent;
  }

  /** Whether that is an agent of another program, which is told in the metadata what happens to its session. */
  get isElsewhere(): boolean {
    return this.agent instanceof ForeignAgent;
  }

  /** @param remember What else is to be remembered with it. */
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
