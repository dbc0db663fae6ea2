import type { Localizer } from '../../core/index.js';
import {
  engineIdOf,
  engineNotes,
  engineRow,
  type EnvironmentRow,
  type ListedEngine,
  memberId,
  memberRow,
  type ShownMember,
} from '../environments/index.js';
import type { EnvironmentSnapshot } from '../list/index.js';
import type { SessionRow } from '../words/index.js';
import type { SessionRows } from './sessionRows.js';
import type { TreeEnvironment, TreeGroup } from './treeGroup.js';

/** An engine with its members. */
export interface TreeEngine {
  readonly row: EnvironmentRow;
  readonly members: readonly TreeEnvironment[];
  /** Rows below the members that only tell something. */
  readonly notes: readonly SessionRow[];
}

/**
 * @param options.known The members that are connected, among other environments.
 * @param options.used The ids of the environments with sessions.
 * @param options.filtering Whether only members with sessions are shown.
 */
export function treeEngines(
  engines: readonly ListedEngine[],
  options: {
    readonly known: readonly EnvironmentSnapshot[];
    readonly used: readonly string[];
    readonly groupsOf: (id: string) => readonly TreeGroup[];
    readonly filtering: boolean;
    readonly made: SessionRows;
    readonly now: number;
    readonly l10n: Localizer;
  },
): readonly TreeEngine[] {
  const { used, groupsOf, filtering, made, now, l10n } = options;
  const known = new Map(options.known.map((one) => [one.id, one]));
  return engines.flatMap((engine): readonly TreeEngine[] => {
    const { definition, listing } = engine;
    const listed = listing.kind === 'read' ? listing.members : [];
    const ids = new Set(listed.map(({ name }) => memberId(definition.id, name)));
    // A member with a connection or with sessions is shown even if its engine lists it no more.
    const others = [...new Set([...known.keys(), ...used])].filter(
      (id) => engineIdOf(id) === definition.id && !ids.has(id),
    );
    const rowOf = (name: string, member: ShownMember | undefined): EnvironmentRow => {
      const snapshot = known.get(memberId(definition.id, name));
      const make = () => memberRow(engine, name, member, snapshot, now, l10n);
      return member === undefined || snapshot !== undefined ? make() : made.memberOf(member, make);
    };
    const usedIds = new Set(used);
    const members = [
      ...listed.map((member) => ({ name: member.name, member })),
      ...others.map((id) => ({ name: id.slice(definition.id.length + 1), member: undefined })),
    ]
      .filter(({ name }) => !filtering || usedIds.has(memberId(definition.id, name)))
      .map(({ name, member }) => ({
        row: rowOf(name, member),
        groups: groupsOf(memberId(definition.id, name)),
      }));
    return filtering && members.length === 0
      ? []
      : [{ row: engineRow(engine, l10n), members, notes: filtering ? [] : engineNotes(engine, l10n) }];
  });
}
