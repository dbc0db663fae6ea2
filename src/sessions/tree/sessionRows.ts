import type { Localizer } from '../../core/index.js';
import type { SessionSnapshot } from '../list/index.js';
import { type RowPlace, sessionRow, type SessionRow } from '../words/index.js';

/**
 * Makes rows and keeps them, so that the change of one session costs the making of one row, however many there are. A
 * kept row still tells the time that it was made at.
 */
export class SessionRows {
  readonly #made = new WeakMap<SessionSnapshot, { readonly row: SessionRow; readonly place: RowPlace }>();

  /** @param session The same object as long as the session has not changed. */
  rowOf(session: SessionSnapshot, now: number, l10n: Localizer, place: RowPlace): SessionRow {
    const made = this.#made.get(session);
    if (made !== undefined && isSame(made.place, place)) {
      return made.row;
    }
    const row = sessionRow(session, now, l10n, place);
    this.#made.set(session, { row, place });
    return row;
  }
}

function isSame(one: RowPlace, other: RowPlace): boolean {
  return (
    one.held === other.held && one.pinned === other.pinned && one.namesEnvironment === other.namesEnvironment
  );
}
