import {
  Alarm,
  type Clock,
  type Disposable,
  type ExecProcess,
  type ProcessMetadata,
  type WhenGone,
} from '../core/index.js';

import type { KnownAgent } from './agents.js';
import { type Cursor, formatCursor } from './text/index.js';

/** The time from an answer to the note of how far its agent has read, in milliseconds: most are followed by others. */
const CURSORS_MS = 1_000;
/** The most names of agents whose cursors are remembered, the newest ones. */
const MOST_CURSORS = 8;

/**
 * Writes what has to be remembered of a session into the metadata of its process, where other programs find it, and this
 * one after a restart. Nothing waits for it. Nothing happens for a process that its backend does not keep, which nobody will
 * find.
 */
export class SessionMemory implements Disposable {
  readonly #process: ExecProcess;
  readonly #number: number;
  readonly #cursors = new Map<string, string>();
  readonly #writeLater: Alarm;
  #unwritten = false;

  constructor(process: ExecProcess, number: number, clock: Clock) {
    this.#process = process;
    this.#number = number;
    this.#writeLater = new Alarm(clock);
  }

  /** @param more What else is to be remembered with it. */
  belongsTo({ id, givenName: name }: KnownAgent, more: ProcessMetadata = {}): void {
    const agent = { number: this.#number, id, name };
    this.#write({ ...more, agent, leftAt: null }, { timeKey: 'leftAt' });
  }

  /** Its agent has gone at that time, or is there again. */
  left(at: number | undefined): void {
    if (at === undefined) {
      this.#write({ leftAt: null }, { timeKey: 'leftAt' });
    } else {
      this.#write({ leftAt: at });
    }
  }

  /** @param agent Undefined if nobody has ended it after all. */
  stoppedBy(agent: KnownAgent | undefined): void {
    this.#write({ endedBy: agent === undefined ? null : { kind: 'agent', name: agent.name } });
  }

  /** An agent has got the output up to there. */
  given({ givenName }: KnownAgent, cursor: Cursor): void {
    if (!this.#isKept) {
      return;
    }
    this.#cursors.delete(givenName);
    this.#cursors.set(givenName, formatCursor(cursor));
    [...this.#cursors.keys()].slice(0, -MOST_CURSORS).forEach((name) => this.#cursors.delete(name));
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
    const { cursors } = this.#process.info().metadata;
    const others = typeof cursors === 'object' ? cursors : {};
    const all = Object.entries({ ...others, ...Object.fromEntries(this.#cursors) });
    this.#write({ cursors: Object.fromEntries(all.slice(-MOST_CURSORS)) });
  }

  get #isKept(): boolean {
    return this.#process.info().owned === true;
  }

  #write(patch: ProcessMetadata, whenGone?: WhenGone): void {
    if (!this.#isKept) {
      return;
    }
    this.#process.describe(patch, whenGone).catch(() => undefined);
  }
}
