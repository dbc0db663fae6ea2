import {
  endedByAgentsSignal,
  endedByPersonsSignal,
  type ExecProcess,
  type FolderNote,
  isMarkKey,
  type MarkKey,
  type Metadata,
  metadataIn,
  type MetadataKey,
  type MetadataPatch,
  type ProcessMetadata,
  signalledByPerson,
} from '../../core/index.js';

import type { Controller, PersonWanted } from './control.js';

/** The known originator of a session's end. `name` is the name of an agent. */
export interface EndedBy {
  readonly kind: 'person' | 'agent' | 'keepWithoutClient';
  readonly name?: string;
  /** Seconds since the last client left, if the session was ended for that. */
  readonly afterSeconds?: number;
}

/** The longest text that is taken over from elsewhere, in characters; no place shows more. */
const TEXT_LENGTH = 1_000;

/**
 * Data that is stored with a process, such as a name or a controller. It is kept as the metadata of the process, so
 * that other and later windows have the same. Another program may have written anything there.
 *
 * A value that is set here holds at once, and for good if the backend cannot store it.
 */
export class SessionRecord {
  readonly #changed: () => void;
  /** Values that were set here and are not known to be in the metadata. */
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

  /** The id that it has in common with the other sessions of its batch. */
  get batch(): string | undefined {
    return this.#get('batch');
  }

  get previousId(): string | undefined {
    return this.#get('previousId');
  }

  /** The folder of the window that has started it. */
  get folder(): string | undefined {
    return this.#get('folder')?.slice(0, TEXT_LENGTH);
  }

  get folderEnvironment(): FolderNote | undefined {
    return this.#get('folderEnvironment');
  }

  get inputClosed(): boolean {
    return this.#get('inputClosed');
  }

  set inputClosed(closed: boolean) {
    this.#put({ inputClosed: closed });
  }

  /** Whether an agent's session goes on without any client. */
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

  /** The reason why no receipt can be written for it; undefined if one can be, or is not wanted. */
  get receiptUnwritten(): string | undefined {
    return this.#get('receiptUnwritten')?.slice(0, TEXT_LENGTH);
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
   * @returns a function to call if the signal was not sent after all.
   */
  signalledByPerson(signal: string, at: number): () => void {
    const before = this.#said('signalledBy');
    this.#put(signalledByPerson(signal, at));
    return () => this.#put({ signalledBy: before });
  }

  /** The known sender of the signal that ended the process. */
  get endedBySignalOf(): 'person' | 'agent' | undefined {
    const signalledBy = this.#said('signalledBy');
    if (this.#process === undefined || signalledBy === undefined) {
      return undefined;
    }
    const { exit, exitedAt } = this.#process.info();
    const known = { exit, exitedAt, metadata: { signalledBy } };
    return endedByPersonsSignal(known) ? 'person' : endedByAgentsSignal(known) ? 'agent' : undefined;
  }

  /** The process has started: values that were set earlier are now stored with it. */
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

  /** Whether the process has them already, so that its backend has reported the change. */
  #isKnown(changes: ReadonlyMap<string, unknown>): boolean {
    const metadata = this.#process?.info().metadata;
    return (
      metadata !== undefined &&
      [...changes].every(([key, value]) => JSON.stringify(metadata[key] ?? null) === JSON.stringify(value))
    );
  }

  async #write(process: ExecProcess, changes: ReadonlyMap<string, unknown>): Promise<void> {
    try {
      // No caller waits any more once the window that asked is gone.
      const whenGone = changes.get('waitsFor') === undefined ? undefined : { patch: { waitsFor: null } };
      await process.describe(Object.fromEntries(changes), { whenGone });
    } catch {
      // The backend cannot store it, or has forgotten the process. Only this window knows the value.
      return;
    }
    for (const [key, value] of changes) {
      // A later change of the same key is still on its way.
      if (this.#set.get(key) === value) {
        this.#set.delete(key);
      }
    }
    // Changes by others that came before this answer were hidden until now.
    if (!this.#isKnown(changes)) {
      this.#changed();
    }
  }
}
