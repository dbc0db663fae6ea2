import { type ProcessMetadata, spanText } from '../../core/index.js';

import type { KnownAgent } from './agents.js';
import { type ChangingTool, foreignUseIn } from './belonging.js';
import type { Controller } from '../host.js';
import type { SessionAgent } from './sessionAgent.js';

/** The facts that an agent has been notified of. */
interface Notified {
  /** The number of changes of control. */
  controlChanges: number;
  /** The number of stops. */
  stops: number;
  /** Whether it knows that the session was taken off the list. */
  removed: boolean;
}

/** The agent that a session was taken over from. */
interface Predecessor {
  readonly name: string;
  /** As people count time. */
  readonly leftAt: number;
  /** Whether its successor goes on reading where it was. */
  readonly goesOn: boolean;
}

/** The situation of a session when news of it is told. */
interface NewsSituation {
  /** The session at the beginning of a sentence, and in it. */
  readonly name: string;
  readonly owner: SessionAgent;
  readonly controller: Controller;
  readonly removed: boolean;
  readonly metadata: ProcessMetadata;
  /** As people count time. */
  readonly now: number;
}

/** The actions of others on a session. Every agent concerned is notified of each once. */
export class SessionNews {
  #controlChanges = 0;
  /** The agents and people that have tried to stop it, in order. */
  readonly #stoppedBy: (KnownAgent | 'person')[] = [];
  /** By the id of the agent. */
  readonly #notified = new Map<string, Notified>();
  /** The actions of other agents that its own agent has not been notified of, as the beginnings of sentences. */
  readonly #uses = new Set<string>();
  /** When an agent of another program last acted on it, as far as its own agent knows. */
  #foreignUseAt: number | undefined;
  /** The agent that had it before, until the one that has it now has been notified. */
  #takenFrom: Predecessor | undefined;

  /** Whether somebody has tried to stop it. */
  get stopTried(): boolean {
    return this.#stoppedBy.length > 0;
  }

  controlChanged(): void {
    this.#controlChanges += 1;
  }

  /** Takes note of a stop. The other agents are notified, because their calls may see it end. */
  stopped(by: KnownAgent | 'person', isOwner: boolean): void {
    if (by !== 'person') {
      this.meets(by, isOwner);
    }
    this.#stoppedBy.push(by);
    const notified = by === 'person' ? undefined : this.#notified.get(by.id);
    if (notified !== undefined) {
      notified.stops = this.#stoppedBy.length;
    }
  }

  /** Takes note that an agent has called a tool for the session of another agent. */
  used(agent: Pick<SessionAgent, 'givenName' | 'name'>, tool: ChangingTool, owner: SessionAgent): void {
    this.#uses.add(`${subject(agent, owner)} has called ${tool} for`);
  }

  /** Takes note that it belongs to another agent from now on. That agent needs no earlier news. */
  takenOver(from: Predecessor, metadata: ProcessMetadata): void {
    this.#takenFrom = from;
    this.#foreignUseAt = foreignUseIn(metadata)?.at;
    this.#uses.clear();
  }

  /**
   * Takes note that an agent sees the session, perhaps for the first time. It needs no earlier news, unless the session
   * is its own.
   *
   * @param isOwner Whether the session is its own, so that it was there from the beginning.
   */
  meets({ id }: KnownAgent, isOwner: boolean): void {
    if (!this.#notified.has(id)) {
      this.#notified.set(id, {
        controlChanges: isOwner ? 0 : this.#controlChanges,
        stops: isOwner ? 0 : this.#stoppedBy.length,
        removed: false,
      });
    }
  }

  /** The news for an agent, as sentences. They count as notified from now on. */
  for(agent: KnownAgent, situation: NewsSituation): readonly string[] {
    const { name, owner, controller, removed, metadata, now } = situation;
    this.meets(agent, agent.id === owner.id);
    const notified = this.#notified.get(agent.id);
    if (notified === undefined) {
      return [];
    }
    const news = agent.id === owner.id ? [...this.#forOwner(owner, name, metadata, now)] : [];
    if (notified.controlChanges !== this.#controlChanges) {
      notified.controlChanges = this.#controlChanges;
      news.push(
        controller === 'person'
          ? `A person has taken control of ${name}. You can read it, wait for it and stop it, but not type into it until control is given back.`
          : `A person had control of ${name} and has given control back.`,
      );
    }
    const stopped = this.#stoppedBy.at(-1);
    if (stopped !== undefined && notified.stops !== this.#stoppedBy.length) {
      notified.stops = this.#stoppedBy.length;
      const tried =
        stopped === 'person'
          ? 'A person has stopped'
          : `${subject(stopped, agent)} has called stop_session for`;
      news.push(`${tried} ${name}.`);
    }
    if (removed && !notified.removed) {
      notified.removed = true;
      news.push(`A person, or a limit, has taken ${name} off the list. Its output is gone.`);
    }
    return news;
  }

  *#forOwner(owner: SessionAgent, name: string, metadata: ProcessMetadata, now: number): Iterable<string> {
    if (this.#takenFrom !== undefined) {
      const { name: agent, leftAt, goesOn } = this.#takenFrom;
      const read = goesOn ? ' Output that it has read is not repeated: read_output cursor="0" has it.' : '';
      yield `${name} was left by ${agent} ${spanText(Math.max(0, now - leftAt))} ago, and is yours now.${read}`;
    }
    this.#takenFrom = undefined;
    const use = foreignUseIn(metadata);
    if (use !== undefined && use.at !== this.#foreignUseAt) {
      this.#foreignUseAt = use.at;
      this.used({ givenName: use.name, name: use.name }, use.tool, owner);
    }
    for (const action of this.#uses) {
      yield `${action} ${name}.`;
    }
    this.#uses.clear();
  }
}

/** An agent at the beginning of a sentence for `reader`. */
function subject(agent: Pick<SessionAgent, 'givenName' | 'name'>, reader: SessionAgent): string {
  return agent.givenName === reader.givenName ? `Another ${agent.name}` : `The agent ${agent.name}`;
}
