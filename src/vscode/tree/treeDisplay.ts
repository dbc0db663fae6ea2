import type { Disposable } from '../../core/index.js';
import type { Session } from '../../sessions/list/index.js';

/** The view of the tree, as far as commands need it. */
export interface TreeDisplay extends Disposable {
  /** The sessions whose rows are selected. */
  readonly selection: readonly Session[];
  /**
   * The sessions that a key acts on: several selected rows, or else the row with the keyboard's focus, which this
   * selects.
   *
   * @param opens Whether the key expands or collapses a row that stands for no session. Other keys leave it as it is.
   */
  forKey(opens: boolean): Promise<readonly Session[]>;
  /**
   * Whether the running command of the row was caused by {@link forKey}, not by a person who wants to see the session.
   */
  causedByKey(): boolean;
  /** Selects a session's row, if the view can be seen. The keyboard stays where it is. */
  reveal(session: Session): Promise<void>;
}
