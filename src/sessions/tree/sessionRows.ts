import type { Placed, TreeGroup } from './treeGroup.js';
import type { Localizer } from '../../core/index.js';
import type { EnvironmentRow, ShownMember } from '../environments/index.js';
import type { SessionSnapshot } from '../list/index.js';
import { type RowPlace, sessionRow, type SessionRow } from '../words/index.js';

/**
 * Makes and keeps rows and groups. A change of one session only makes its row and its group anew. A kept row still
 * shows the time at which it was made.
 */
export class SessionRows {
  readonly #made = new WeakMap<SessionSnapshot, { readonly row: SessionRow; readonly place: RowPlace }>();
  readonly #members = new WeakMap<ShownMember, EnvironmentRow>();
  readonly #groups = new Map<string, { readonly members: readonly Placed[]; readonly group: TreeGroup }>();

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

  /**
   * The row of a listed member that is not connected. An engine may have a thousand.
   *
   * @param member The same object as long as the engine has not listed it anew.
   */
  memberOf(member: ShownMember, make: () => EnvironmentRow): EnvironmentRow {
    const row = this.#members.get(member) ?? make();
    this.#members.set(member, row);
    return row;
  }

  /**
   * The group of these members. It is the last object again if the same members are in the same places.
   *
   * @param name Differs if anything other than the members makes the group look different.
   * @param members In any order that does not change by itself.
   */
  groupOf(name: string, members: readonly Placed[], make: () => TreeGroup): TreeGroup {
    const made = this.#groups.get(name);
    if (made !== undefined && areSame(made.members, members)) {
      return made.group;
    }
    const group = make();
    this.#groups.set(name, { members, group });
    return group;
  }
}

function isSame(one: RowPlace, other: RowPlace): boolean {
  return (
    one.held === other.held &&
    one.pinned === other.pinned &&
    one.notifies === other.notifies &&
    one.namesEnvironment === other.namesEnvironment &&
    one.inBatch === other.inBatch &&
    one.folder === other.folder
  );
}

/** Sessions and places are the same objects as long as they have not changed. */
function areSame(one: readonly Placed[], other: readonly Placed[]): boolean {
  return (
    one.length === other.length &&
    one.every(({ session, place }, index) => {
      const opposite = other[index];
      return session === opposite?.session && place === opposite.place;
    })
  );
}
