import type { ProcessMetadata } from '../../core/index.js';
import { belongingIn } from './belonging.js';

/** An agent that a session belongs to, as texts name it. */
export interface SessionAgent {
  readonly id: string;
  /** The name that it gives itself. Others may have the same. */
  readonly givenName: string;
  readonly name: string;
  /** The time when it went for good, as people count time; undefined if it is there, or if that is not known. */
  readonly leftAt: number | undefined;
  /** Its name in a text for `reader`. The reader does not know its own place. */
  nameFor(reader: SessionAgent): string;
}

/**
 * An agent of another program, or of an earlier run of this one, as the current metadata of its session describes it.
 */
export class ForeignAgent implements SessionAgent {
  readonly #metadata: () => ProcessMetadata;

  constructor(metadata: () => ProcessMetadata) {
    this.#metadata = metadata;
  }

  get id(): string {
    return belongingIn(this.#metadata())?.agent.id ?? '';
  }

  get givenName(): string {
    return belongingIn(this.#metadata())?.agent.name ?? 'an agent';
  }

  get name(): string {
    return this.givenName;
  }

  get leftAt(): number | undefined {
    return belongingIn(this.#metadata())?.leftAt;
  }

  /** An agent that has gone may be the reader itself, before it was restarted. */
  nameFor(reader: SessionAgent): string {
    return this.leftAt === undefined && this.givenName === reader.givenName
      ? `another ${this.name}`
      : this.name;
  }
}
