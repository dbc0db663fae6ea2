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
import { type ChangingTool, foreignUsesIn } from './belonging.js';
import { type Cursor, formatCursor } from '../text/index.js';

/** The time from an answer to the note of how far its agent has read, in milliseconds: most are followed by others. */
const CURSORS_MS = 1_000;
/** The most agents whose cursors, or uses, are remembered, the newest ones. */
const MOST_AGENTS = 8;

/** An agent that does something to a session, and whether that is one of another agent. */
export interface Doer {
  readonly agent: KnownAgent;
  readonly foreign: boolean;
}

/**
 * Writes what has to be remembered of a session into the metadata of its process, where other programs find it, and this
 * one after a restart. Nothing waits for it. Nothing happens for a process that its backend does not keep, which nobody will
 * find.
 */
export class SessionMemory implements Disposable {
  readonly #process: ExecProcess;
  readonly #number: number;
  readonly #cursors = new Map<string, string>();
  /** How often the agents of this program, by their ids, have called tools that change something. */
  readonly #uses = new Map<string, Map<ChangingTool, number>>();
  readonly #writeLater: Alarm;
  #unwritten = false;
  #writing = 0;

  constructor(process: ExecProcess, number: number, clock: Clock) {
    this.#process = process;
    this.#number = number;
    this.#writeLater = new Alarm(clock);
  }

  /** Whether something is being written, so that the metadata does not have it yet. */
  get writing(): boolean {
    return this.#writing > 0;
  }

  /** @param more What else is to be remembered with it. */
  belongsTo({ id, givenName: name }: KnownAgent, more: MetadataPatch = {}): void {
    const agent = { number: this.#number, id, name };
    this.#write({ ...more, agent, leftAt: null }, { whenGone: { timeKey: 'leftAt' }, provided: { agent } });
  }

  /** Its agent has gone at that time, or is there again. Nothing happens if another one has taken it over meanwhile. */
  left({ id, givenName: name, leftAt }: KnownAgent): void {
    const provided = { agent: { number: this.#number, id, name } };
    if (leftAt === undefined) {
      this.#write({ leftAt: null }, { whenGone: { timeKey: 'leftAt' }, provided });
    } else {
      this.#write({ leftAt }, { provided });
    }
  }

  /** @param by Undefined if nobody has ended it after all. */
  stoppedBy(by: Doer | undefined): void {
    this.#write({ endedBy: by === undefined ? null : { kind: 'agent', ...described(by) } });
  }

  signalledBy(by: Doer, signal: string): void {
    this.#write({ signalledBy: { signal, ...described(by) } });
  }

  /** An agent has called a tool that changes something, and the session belongs to one of another program. */
  usedBy({ id, givenName: name }: KnownAgent, tool: ChangingTool): void {
    const { metadata } = this.#process.info();
    const before =
      foreignUsesIn(metadata).find((use) => use.agent.id === id && use.tool === tool)?.times ?? 0;
    const tools = this.#uses.get(id) ?? new Map<ChangingTool, number>();
    this.#uses.set(id, tools.set(tool, 1 + Math.max(before, tools.get(tool) ?? 0)));
    const uses = { ...metadataIn(metadata, 'uses'), [id]: { name, tools: Object.fromEntries(tools) } };
    this.#write({ uses: Object.fromEntries(Object.entries(uses).slice(-MOST_AGENTS)) });
  }

  /** An agent has got the output up to there. */
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
