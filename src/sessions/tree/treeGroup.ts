import type { SessionSnapshot } from '../list/index.js';
import type { SessionRow } from '../words/index.js';
import type { SessionPlace, Stage } from './placeBook.js';

/** Sessions that have something in common. */
export interface TreeGroup {
  /** The group's name, unique in the tree. */
  readonly key: string;
  readonly kind: Stage | 'pinned' | 'owner' | 'folder' | 'elsewhere';
  readonly label: string;
  readonly count: number;
  /** The text beside the label. */
  readonly description: string;
  /** An icon of VS Code by its name. */
  readonly icon?: string;
  /** Whether it is collapsed until somebody expands it. */
  readonly collapsed: boolean;
  readonly accessibilityLabel: string;
  readonly rows: readonly SessionRow[];
}

/** A session, and where it stands. */
export interface Placed {
  readonly session: SessionSnapshot;
  readonly place: SessionPlace;
}
