import { Emitter, type Event } from '../../core/index.js';
import type { Belonging, WindowFolders } from '../list/index.js';
import { NO_FILTER, type TreeFilter } from './treeFilter.js';

/** The property that the sessions of one group share. */
export type Grouping = 'state' | 'owner' | 'environment' | 'folder';

export const GROUPINGS: readonly Grouping[] = ['state', 'owner', 'environment', 'folder'];

/** Where the sessions of other folders are: in a group of their own, or among those of this window. */
export type Elsewhere = 'apart' | 'inPlace';

/** How a person wants to see the sessions, as plain data. */
export interface Arrangement {
  readonly grouping: Grouping;
  readonly elsewhere: Elsewhere;
  readonly filter: TreeFilter;
  /** The ids of sessions that stand at the top. */
  readonly pinned: ReadonlySet<string>;
}

export const USUAL_ARRANGEMENT: Arrangement = {
  grouping: 'state',
  elsewhere: 'apart',
  filter: NO_FILTER,
  pinned: new Set(),
};

/** The part of an arrangement that a window chooses. Pins are stored with the sessions. */
type ChosenArrangement = Omit<Arrangement, 'pinned'>;

/** The part of an arrangement that outlives the window. */
export type KeptArrangement = Pick<Arrangement, 'grouping' | 'elsewhere'>;

/** Whether a session stands in the group of other folders. Grouped by folder, each folder has its own group anyway. */
export function isApart(
  session: Belonging,
  { grouping, elsewhere }: KeptArrangement,
  folders: WindowFolders,
): boolean {
  return elsewhere === 'apart' && grouping !== 'folder' && !folders.has(session);
}

/** The choices of a person about the tree, which outlive the window as far as `save` keeps them. */
export class ArrangementChoice {
  readonly #save: (kept: KeptArrangement) => void;
  readonly #didChange = new Emitter<ChosenArrangement>();
  #current: ChosenArrangement;

  /** @param saved The last value that `save` was given, unchecked. */
  constructor(
    saved: Readonly<Record<keyof KeptArrangement, unknown>>,
    save: (kept: KeptArrangement) => void,
  ) {
    this.#save = save;
    const grouping = GROUPINGS.find((one) => one === saved.grouping) ?? USUAL_ARRANGEMENT.grouping;
    const elsewhere = saved.elsewhere === 'inPlace' ? 'inPlace' : USUAL_ARRANGEMENT.elsewhere;
    this.#current = { grouping, elsewhere, filter: NO_FILTER };
  }

  get current(): ChosenArrangement {
    return this.#current;
  }

  get onDidChange(): Event<ChosenArrangement> {
    return this.#didChange.event;
  }

  groupBy(grouping: Grouping): void {
    this.#change({ ...this.#current, grouping });
    this.#save(this.#current);
  }

  showElsewhere(elsewhere: Elsewhere): void {
    this.#change({ ...this.#current, elsewhere });
    this.#save(this.#current);
  }

  show(filter: TreeFilter): void {
    this.#change({ ...this.#current, filter });
  }

  dispose(): void {
    this.#didChange.dispose();
  }

  #change(next: ChosenArrangement): void {
    this.#current = next;
    this.#didChange.fire(next);
  }
}
