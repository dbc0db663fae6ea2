import { Emitter, type Event } from '../../core/index.js';
import { NO_FILTER, type TreeFilter } from './treeFilter.js';

/** What the sessions of one group have in common. */
export type Grouping = 'state' | 'owner' | 'environment' | 'folder';

export const GROUPINGS: readonly Grouping[] = ['state', 'owner', 'environment', 'folder'];

/** How a person wants to see the sessions, as plain data. */
export interface Arrangement {
  readonly grouping: Grouping;
  readonly filter: TreeFilter;
  /** The ids of sessions that stand at the top. */
  readonly pinned: ReadonlySet<string>;
}

export const USUAL_ARRANGEMENT: Arrangement = { grouping: 'state', filter: NO_FILTER, pinned: new Set() };

/** The choices of a person about the tree, which outlive the window as far as `save` keeps them. */
export class ArrangementChoice {
  readonly #save: (grouping: Grouping) => void;
  readonly #didChange = new Emitter<Arrangement>();
  #current: Arrangement;

  /** @param saved What `save` was given last, unchecked. */
  constructor(saved: unknown, save: (grouping: Grouping) => void) {
    this.#save = save;
    const grouping = GROUPINGS.find((one) => one === saved) ?? USUAL_ARRANGEMENT.grouping;
    this.#current = { ...USUAL_ARRANGEMENT, grouping };
  }

  get current(): Arrangement {
    return this.#current;
  }

  get onDidChange(): Event<Arrangement> {
    return this.#didChange.event;
  }

  groupBy(grouping: Grouping): void {
    this.#change({ ...this.#current, grouping });
    this.#save(grouping);
  }

  show(filter: TreeFilter): void {
    this.#change({ ...this.#current, filter });
  }

  pin(ids: readonly string[]): void {
    this.#change({ ...this.#current, pinned: new Set([...this.#current.pinned, ...ids]) });
  }

  unpin(ids: readonly string[]): void {
    const pinned = new Set([...this.#current.pinned].filter((id) => !ids.includes(id)));
    this.#change({ ...this.#current, pinned });
  }

  dispose(): void {
    this.#didChange.dispose();
  }

  #change(next: Arrangement): void {
    this.#current = next;
    this.#didChange.fire(next);
  }
}
