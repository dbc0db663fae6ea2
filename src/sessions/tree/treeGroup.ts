import type { EnvironmentRow } from '../environments/index.js';
import type { SessionSnapshot } from '../list/index.js';
import type { SessionRow } from '../words/index.js';
import type { SessionPlace, Stage } from './placeBook.js';

/** Sessions that have something in common. */
export interface TreeGroup {
  /** The group's name, unique in the tree. */
  readonly key: string;
  readonly kind: Stage | 'pinned' | 'owner' | 'folder' | 'elsewhere' | 'batch';
  readonly label: string;
  readonly count: number;
  /** The text beside the label. */
  readonly description: string;
  /** For a batch: whether some of it failed, or runs or waits. Menus ask for that. */
  readonly flags?: readonly ('failed' | 'going')[];
  /** An icon of VS Code by its name. */
  readonly icon?: string;
  /** Whether it is collapsed until somebody expands it. */
  readonly collapsed: boolean;
  readonly accessibilityLabel: string;
  readonly rows: readonly SessionRow[];
}

/** An environment with the groups of its own sessions. */
export interface TreeEnvironment {
  readonly row: EnvironmentRow;
  readonly groups: readonly TreeGroup[];
}

/** A session, and where it stands. */
export interface Placed {
  readonly session: SessionSnapshot;
  readonly place: SessionPlace;
}
