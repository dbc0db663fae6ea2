import { Alarm, type Clock, type Disposable, Emitter, oneLine } from '../../core/index.js';
import type { ListedEngine, MemberListing } from '../environments/index.js';
import type { EngineDefinition } from '../list/index.js';

/** How often the members of an expanded engine are read while the view can be seen, in milliseconds. */
const INTERVAL_MS = 15_000;

/** Lists the members of an engine. Rejects with a reason for people. */
export type ListMembers = (
  engine: EngineDefinition,
  signal: AbortSignal,
) => Promise<Omit<Extract<MemberListing, { kind: 'read' }>, 'kind'>>;

interface Entry {
  readonly definition: EngineDefinition;
  readonly cancel: AbortController;
  listing: MemberListing;
  reading: Promise<void> | undefined;
  readAt: number;
}

/** Reads the members of the engines whose rows are expanded, again and again while the view can be seen. */
export class MemberWatch implements Disposable {
  readonly #clock: Clock;
  readonly #list: ListMembers;
  readonly #alarm: Alarm;
  readonly #didChange = new Emitter<void>();
  readonly #entries = new Map<string, Entry>();
  /** The ids of the engines whose rows are expanded. */
  readonly #watched = new Set<string>();
  #visible = false;

  readonly onDidChange = this.#didChange.event;

  constructor(clock: Clock, list: ListMembers) {
    this.#clock = clock;
    this.#list = list;
    this.#alarm = new Alarm(clock);
  }

  /** The engines of the settings, with what is known of their members. A changed engine begins anew. */
  look(engines: readonly EngineDefinition[]): readonly ListedEngine[] {
    for (const [id, { definition, cancel }] of this.#entries) {
      if (!engines.includes(definition)) {
        cancel.abort();
        this.#entries.delete(id);
      }
    }
    const entries = engines.map((definition) => this.#entryOf(definition));
    this.#readOn();
    return entries.map(({ definition, listing }) => ({ definition, listing }));
  }

  setVisible(visible: boolean): void {
    this.#visible = visible;
    this.#readOn();
  }

  /** The row of an engine was expanded or collapsed. */
  watch(id: string, on: boolean): void {
    if (on) {
      this.#watched.add(id);
    } else {
      this.#watched.delete(id);
    }
    this.#readOn();
  }

  /** Reads the members now. Readers at the same time share one run of the engine's program. */
  async read(engine: EngineDefinition): Promise<MemberListing> {
    const entry = this.#entryOf(engine);
    entry.reading ??= this.#read(entry).finally(() => (entry.reading = undefined));
    await entry.reading;
    return entry.listing;
  }

  dispose(): void {
    this.#visible = false;
    this.#alarm.dispose();
    this.#didChange.dispose();
    this.#entries.forEach(({ cancel }) => cancel.abort());
  }

  #entryOf(definition: EngineDefinition): Entry {
    const known = this.#entries.get(definition.id);
    if (known !== undefined) {
      return known;
    }
    const cancel = new AbortController();
    const listing = { kind: 'unread' } as const;
    const entry = { definition, cancel, listing, reading: undefined, readAt: Number.NEGATIVE_INFINITY };
    this.#entries.set(definition.id, entry);
    return entry;
  }

  async #read(entry: Entry): Promise<void> {
    if (entry.listing.kind === 'unread') {
      entry.listing = { kind: 'reading' };
    }
    const listing = await this.#list(entry.definition, entry.cancel.signal).then(
      ({ members, leftOut }): MemberListing => ({ kind: 'read', members, leftOut }),
      (error: unknown): MemberListing => ({
        kind: 'failed',
        reason: oneLine(error instanceof Error ? error.message : String(error)),
      }),
    );
    entry.readAt = this.#clock.now();
    if (!entry.cancel.signal.aborted) {
      const changed = JSON.stringify(listing) !== JSON.stringify(entry.listing);
      entry.listing = changed ? listing : entry.listing;
      this.#didChange.fire();
    }
  }

  /** Reads what is due, and comes back when the next is. */
  #readOn(): void {
    this.#alarm.dispose();
    if (!this.#visible) {
      return;
    }
    const now = this.#clock.now();
    const watched = [...this.#entries.values()].filter(({ definition: { id } }) => this.#watched.has(id));
    const waits = watched.map((entry) => {
      const wait = entry.readAt + INTERVAL_MS - now;
      if (wait <= 0) {
        void this.read(entry.definition);
      }
      return wait <= 0 ? INTERVAL_MS : wait;
    });
    if (waits.length > 0) {
      this.#alarm.set(Math.min(...waits), () => this.#readOn());
    }
  }
}
