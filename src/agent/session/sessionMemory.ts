import {
  Alarm,
  type Clock,
  type DescribeOptions,
  type Disposable,
  type ExecProcess,
  metadataIn,
  type MetadataPatch,
  type ProcessMetadata,
} from '../../core/index.js';

import type { KnownAgent } from './agents.js';
import type { ChangingTool } from './belonging.js';
import { type Cursor, formatCursor } from '../text/index.js';

/**
 * The time between an answer and the note of how far its agent has read, in milliseconds. Most answers are followed by
 * others.
 */
const CURSORS_MS = 1_000;
/** The most agents whose cursors are stored; the newest ones count. */
const MOST_AGENTS = 8;

/** An agent that acts on a session, and whether the session belongs to another agent. */
export interface Doer {
  readonly agent: KnownAgent;
  readonly foreign: boolean;
}

/**
 * Writes the facts about a session into the metadata of its process, where other programs and a later run of this one
 * find them. No caller waits for it. It does nothing for a process that its backend does not keep, because no program
 * would find it.
 */
export class SessionMemory implements Disposable {
  readonly #process: ExecProcess;
  readonly #number: number;
  readonly #cursors = new Map<string, string>();
  readonly #clock: Clock;
  readonly #writeLater: Alarm;
  #unwritten = false;
  #writing = 0;

  constructor(process: ExecProcess, number: number, clock: Clock) {
    this.#process = process;
    this.#number = number;
    this.#clock = clock;
    this.#writeLater = new Alarm(clock);
  }

  /** Whether something is being written, so that the metadata does not have it yet. */
  get writing(): boolean {
    return this.#writing > 0;
  }

  /** @param more Further metadata to store with the process. */
  belongsTo({ id, givenName: name }: KnownAgent, more: MetadataPatch = {}): void {
    const agent = { number: this.#number, id, name };
    this.#write({ ...more, agent, leftAt: null }, { whenGone: { timeKey: 'leftAt' }, provided: { agent } });
  }

  /**
   * Takes note that its agent has gone at that time, or is back. Does nothing if another agent has taken it over
   * meanwhile.
   */
  left({ id, givenName: name, leftAt }: KnownAgent): void {
    const provided = { agent: { number: this.#number, id, name } };
    if (leftAt === undefined) {
      this.#write({ leftAt: null }, { whenGone: { timeKey: 'leftAt' }, provided });
    } else {
      this.#write({ leftAt }, { provided });
    }
  }

  /** @param by Undefined if the stop has not ended it after all. */
  stoppedBy(by: Doer | undefined): void {
    this.#write({ endedBy: by === undefined ? null : { kind: 'agent', ...described(by) } });
  }

  signalledBy(by: Doer, signal: string): void {
    this.#write({ signalledBy: { signal, ...described(by) } });
  }

  /** Takes note that an agent has called a changing tool for a session of an agent of another program. */
  usedBy({ givenName: name }: KnownAgent, tool: ChangingTool): void {
    this.#write({ usedBy: { name, tool, at: this.#clock.wallTime() } });
  }

  /** Takes note that an agent has got the output up to there. */
  given({ givenName }: KnownAgent, cursor: Cursor): void {
    if (!this.#isKept) {
      return;
    }
    this.#cursors.delete(givenName);
    this.#cursors.set(givenName, formatCursor(cursor));
    [...this.#cursors.keys()].slice(0, -MOST_AGENTS).forEach((name) => this.#cursors.delete(name));
    this.#unwritten = true;
    this.#writeLater.setUnlessSet(CURSORS_MS, () => this.#writeCursors());
  }

  /** Writes what has not been written yet. */
  dispose(): void {
    this.#writeLater.dispose();
    if (this.#unwritten) {
      this.#writeCursors();
    }
  }

  #writeCursors(): void {
    this.#unwritten = false;
    const known = metadataIn(this.#process.info().metadata, 'cursors');
    const all = Object.entries({ ...known, ...Object.fromEntries(this.#cursors) });
    this.#write({ cursors: Object.fromEntries(all.slice(-MOST_AGENTS)) });
  }

  get #isKept(): boolean {
    return this.#process.info().owned === true;
  }

  #write(patch: MetadataPatch, options?: DescribeOptions): void {
    if (!this.#isKept) {
      return;
    }
    this.#writing += 1;
    void this.#process
      .describe(patch, options)
      .catch(() => undefined)
      .finally(() => (this.#writing -= 1));
  }
}

function described({ agent: { id, givenName: name }, foreign }: Doer): ProcessMetadata {
  return { name, id, ...(foreign && { foreign }) };
}
