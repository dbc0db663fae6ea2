import type { Localizer } from '../../core/index.js';
import type { SessionSnapshot } from '../list/index.js';
import { sessionRow, type SessionRow } from '../words/index.js';

/**
 * Makes rows and keeps them, so that the change of one session costs the making of one row, however many there are. A
 * kept row still tells the time that it was made at.
 */
export class SessionRows {
  readonly #made = new WeakMap<SessionSnapshot, { readonly row: SessionRow; readonly inner: boolean }>();

  /**
   * @param session The same object as long as the session has not changed.
   * @param inner Whether the row lies below an environment.
   */
  rowOf(session: SessionSnapshot, now: number, l10n: Localizer, inner: boolean): SessionRow {
    const made = this.#made.get(session);
    if (made?.inner === inner) {
      return made.row;
    }
    const row = sessionRow(session, now, l10n, inner);
    this.#made.set(session, { row, inner });
    return row;
  }
}
