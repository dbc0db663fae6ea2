import { type Clock, Emitter, type Event, onAbort, oneLine } from '../../core/index.js';

import type { SessionAgent } from './sessionAgent.js';
import type { Agent } from '../tool.js';

/** The longest name of an agent in a text. */
const NAME_LENGTH = 60;
/** The most agents without a session that are remembered. */
const MOST_WITHOUT_SESSIONS = 100;

/** An agent, from its first call on. There is one object for each. */
export class KnownAgent implements SessionAgent {
  readonly id: string;
  /** The name that it gives itself. Others may have the same. */
  readonly givenName: string;
  /** Its place among the agents of that name, from 1. */
  readonly place: number;
  readonly #clock: Clock;
  #gone: AbortSignal | undefined;
  #leftAt: number | undefined;
  readonly #didMove = new Emitter<void>();

  constructor(agent: Agent, place: number, clock: Clock) {
    this.id = agent.id;
    this.givenName = oneLine(agent.name, NAME_LENGTH);
    this.place = place;
    this.#clock = clock;
    this.calls(agent);
  }

  /** A name that no other agent has: `Claude Code`, or `Claude Code (2)`. */
  get name(): string {
    return this.place === 1 ? this.givenName : `${this.givenName} (${this.place})`;
  }

  /** The time when it went for good, as people count time; undefined if it is there, or if that is not known. */
  get leftAt(): number | undefined {
    return this.#leftAt;
  }

  /** Takes note that it calls: if it seemed to have gone, it is back. */
  calls({ gone }: Agent): void {
    this.#move(undefined);
    if (gone !== this.#gone) {
      this.#gone = gone;
      onAbort(gone, () => this.#move(this.#clock.wallTime()));
    }
  }

  /** Fires when it has gone, and when it is back. */
  get onDidMove(): Event<void> {
    return this.#didMove.event;
  }

  /** Its name in a text for `reader`. The reader does not know its own place. */
  nameFor(reader: SessionAgent): string {
    return reader.id === this.id
      ? this.givenName
      : reader.givenName === this.givenName
        ? `another ${this.name}`
        : this.name;
  }

  #move(leftAt: number | undefined): void {
    if (leftAt !== this.#leftAt) {
      this.#leftAt = leftAt;
      this.#didMove.fire();
    }
  }
}

/** The agents that have called so far. */
export class Agents {
  readonly #clock: Clock;
  /** By id; the agent with the earliest first call comes first. */
  readonly #known = new Map<string, KnownAgent>();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /**
   * @param owners The ids of the agents that have sessions. Others are forgotten if they have gone, or if there are too
   * many.
   */
  know(agent: Agent, owners: () => ReadonlySet<string>): KnownAgent {
    const known = this.#known.get(agent.id);
    if (known !== undefined) {
      known.calls(agent);
      return known;
    }
    this.#forget(owners());
    const made = new KnownAgent(agent, this.#freePlace(oneLine(agent.name, NAME_LENGTH)), this.#clock);
    this.#known.set(made.id, made);
    return made;
  }

  #freePlace(name: string): number {
    const taken = new Set(
      [...this.#known.values()].filter(({ givenName }) => givenName === name).map(({ place }) => place),
    );
    let place = 1;
    while (taken.has(place)) {
      place += 1;
    }
    return place;
  }

  #forget(owners: ReadonlySet<string>): void {
    const idle = [...this.#known.values()].filter(({ id }) => !owners.has(id));
    const spare = idle.length - MOST_WITHOUT_SESSIONS;
    idle
      .filter(({ leftAt }, index) => leftAt !== undefined || index < spare)
      .forEach(({ id }) => this.#known.delete(id));
  }
}
