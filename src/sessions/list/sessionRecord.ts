import {
  endedByAgentsSignal,
  endedByPersonsSignal,
  type ExecProcess,
  isMarkKey,
  type MarkKey,
  type Metadata,
  metadataIn,
  type MetadataKey,
  type MetadataPatch,
  type ProcessMetadata,
  signalledByPerson,
  unwrittenReceipt,
} from '../../core/index.js';

import type { Controller, PersonWanted } from './control.js';

/** The one who ended a session, as far as that is known. `name` is that of an agent. */
export interface EndedBy {
  readonly kind: 'person' | 'agent' | 'keepWithoutClient';
  readonly name?: string;
  /** How long the last client had been gone, in seconds, if it was ended for that. */
  readonly afterSeconds?: number;
}

/** The longest text that is taken over from elsewhere, in characters; no place shows more. */
const TEXT_LENGTH = 1_000;

/**
 * What is remembered with a process and is not a fact about it: a name, a controller. It is kept as the metadata of the
 * process, so that other windows and later ones have the same. Another program may have written anything there.
 *
 * What is set here holds at once, and for good where the backend cannot remember it.
 */
export class SessionRecord {
  readonly #changed: () => void;
  /** What was set here and is not known to be in the metadata. */
  readonly #set = new Map<string, unknown>();
  readonly #initial: ProcessMetadata;
  #process: ExecProcess | undefined;

  /**
   * @param initial The metadata that the process starts with.
   * @param changed Called when something was set here.
   */
  constructor(initial: ProcessMetadata, changed: () => void) {
    this.#initial = initial;
    this.#changed = changed;
  }

  /** The name that a person has given the session. */
  get title(): string | undefined {
    return this.#get('title')?.slice(0, TEXT_LENGTH);
  }

  set title(title: string | undefined) {
    this.#put({ title });
  }

  get previousId(): string | undefined {
    return this.#get('previousId');
  }

  /** The folder of the window that has started it. */
  get folder(): string | undefined {
    return this.#get('folder')?.slice(0, TEXT_LENGTH);
  }

  get inputClosed(): boolean {
    return this.#get('inputClosed');
  }

  set inputClosed(closed: boolean) {
    this.#put({ inputClosed: closed });
  }

  /** Whether it goes on without any client, although an agent has started it. */
  get keep(): boolean {
    return this.#get('keep');
  }

  set keep(keep: boolean) {
    this.#put({ keep });
  }

  /** Whether it has a mark of people, see `WindowMarks`. */
  isMarked(key: MarkKey): boolean {
    return this.#said(key) === true;
  }

  /** All marks that people of any window have put on it. */
  get marks(): readonly MarkKey[] {
    const metadata = this.#process?.info().metadata ?? this.#initial;
    const keys = new Set([...Object.keys(metadata), ...this.#set.keys()]);
    return [...keys].filter((key) => isMarkKey(key)).filter((key) => this.isMarked(key));
  }

  mark(key: MarkKey, on: boolean): void {
    if (this.isMarked(key) !== on) {
      this.#put({ [key]: on || undefined });
    }
  }

  /** Whether its output is kept on disk, as its server says. */
  get outputKept(): boolean {
    return this.#get('outputKept');
  }

  /** Why its output could not be kept on disk any more. */
  get keepOutputEnded(): string | undefined {
    return this.#get('keepOutputEnded')?.slice(0, TEXT_LENGTH);
  }

  /** Asks its server to keep its output on disk, or to remove what is there. */
  keepOutput(keep: boolean): void {
    this.#put({ keepOutput: keep, keepOutputEnded: undefined });
  }

  /** Why it cannot be written down how it ends; undefined if it can, or nobody wants that. */
  get receiptUnwritten(): string | undefined {
    return unwrittenReceipt(this.#process?.info().metadata ?? this.#initial)?.reason;
  }

  get controller(): Controller {
    return this.#get('controller');
  }

  set controller(controller: Controller) {
    this.#put({ controller });
  }

  get waitsFor(): PersonWanted | undefined {
    return this.#get('waitsFor');
  }

  set waitsFor(wanted: PersonWanted | undefined) {
    this.#put({ waitsFor: wanted });
  }

  get endedBy(): EndedBy | undefined {
    const { kind, name, afterSeconds } = this.#get('endedBy')?.cause ?? {};
    return kind === 'person' || kind === 'agent' || kind === 'keepWithoutClient'
      ? {
          kind,
          ...(name !== undefined && { name: name.slice(0, TEXT_LENGTH) }),
          ...(afterSeconds !== undefined && { afterSeconds }),
        }
      : undefined;
  }

  set endedBy(endedBy: EndedBy | undefined) {
    this.#put({ endedBy });
  }

  /**
   * A person has sent it a signal, or has typed Ctrl-C, while it ran.
   *
   * @param at Milliseconds since 1970.
   * @returns what to call if it was not sent after all.
   */
  signalledByPerson(signal: string, at: number): () => void {
    const before = this.#said('signalledBy');
    this.#put(signalledByPerson(signal, at));
    return () => this.#put({ signalledBy: before });
  }

  /** Whose signal has ended the process, as far as that is known. */
  get endedBySignalOf(): 'person' | 'agent' | undefined {
    const signalledBy = this.#said('signalledBy');
    if (this.#process === undefined || signalledBy === undefined) {
      return undefined;
    }
    const { exit, exitedAt } = this.#process.info();
    const known = { exit, exitedAt, metadata: { signalledBy } };
    return endedByPersonsSignal(known) ? 'person' : endedByAgentsSignal(known) ? 'agent' : undefined;
  }

  /** The process has started: what was set before is remembered with it. */
  attach(process: ExecProcess): void {
    this.#process = process;
    if (this.#set.size > 0) {
      void this.#write(process, new Map(this.#set));
    }
  }

  #get<K extends MetadataKey>(key: K): Metadata[K] {
    return metadataIn({ [key]: this.#said(key) }, key);
  }

  #said(key: string): unknown {
    return this.#set.has(key) ? this.#set.get(key) : (this.#process?.info().metadata ?? this.#initial)[key];
  }

  #put(patch: MetadataPatch): void {
    // Without a value the key is removed.
    const changes = new Map(Object.entries(patch).map(([key, value]) => [key, value ?? null]));
    changes.forEach((value, key) => this.#set.set(key, value));
    if (this.#process !== undefined) {
      void this.#write(this.#process, changes);
    }
    if (!this.#isKnown(changes)) {
      this.#changed();
    }
  }

  /** Whether the process has them already; then its backend has told of the change. */
  #isKnown(changes: ReadonlyMap<string, unknown>): boolean {
    const metadata = this.#process?.info().metadata;
    return (
      metadata !== undefined &&
      [...changes].every(([key, value]) => JSON.stringify(metadata[key] ?? null) === JSON.stringify(value))
    );
  }

  async #write(process: ExecProcess, changes: ReadonlyMap<string, unknown>): Promise<void> {
    try {
      // Nobody waits any more when the window is gone that has asked.
      const whenGone = changes.get('waitsFor') === undefined ? undefined : { patch: { waitsFor: null } };
      await process.describe(Object.fromEntries(changes), { whenGone });
    } catch {
      // The backend cannot remember it, or has forgotten the process: it is known here alone.
      return;
    }
    for (const [key, value] of changes) {
      // A later change of the same key is still on its way.
      if (this.#set.get(key) === value) {
        this.#set.delete(key);
      }
    }
    // What others have changed before this was answered was hidden until now.
    if (!this.#isKnown(changes)) {
      this.#changed();
    }
  }
}
