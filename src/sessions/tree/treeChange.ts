import type { SessionRow } from '../words/index.js';
import type { TreeEnvironment, TreeGroup, TreeModel } from './treeModel.js';

/** The parts of the tree that must be drawn again. A part that is inside another one of them is not named. */
export type TreeChange =
  | { readonly all: true }
  | {
      readonly all: false;
      /** Ids of environments, keys of groups, ids of sessions. */
      readonly environments: readonly string[];
      readonly groups: readonly string[];
      readonly rows: readonly string[];
    };

/** Compares the shown tree with the new one. Equal parts are left alone. */
export function treeChange(before: TreeModel, after: TreeModel): TreeChange {
  if (
    !sameNames(before.environments, after.environments, ({ row }) => row.id) ||
    !sameNames(before.groups, after.groups, ({ key }) => key)
  ) {
    return { all: true };
  }
  const environments: string[] = [];
  const inside = [groupsChange(before.groups, after.groups)];
  for (const [index, environment] of after.environments.entries()) {
    const old = before.environments[index];
    if (old === undefined || !sameEnvironment(old, environment)) {
      environments.push(environment.row.id);
    } else {
      inside.push(groupsChange(old.groups, environment.groups));
    }
  }
  return {
    all: false,
    environments,
    groups: inside.flatMap(({ groups }) => groups),
    rows: inside.flatMap(({ rows }) => rows),
  };
}

/** Whether both look the same and have the same groups, whatever is in these. */
function sameEnvironment(one: TreeEnvironment, other: TreeEnvironment): boolean {
  return same(one.row, other.row) && sameNames(one.groups, other.groups, ({ key }) => key);
}

/** Compares two lists of the same groups. */
function groupsChange(
  before: readonly TreeGroup[],
  after: readonly TreeGroup[],
): { readonly groups: readonly string[]; readonly rows: readonly string[] } {
  const groups: string[] = [];
  const rows: string[] = [];
  for (const [index, group] of after.entries()) {
    const old: readonly SessionRow[] = before[index]?.rows ?? [];
    if (sameNames(old, group.rows, ({ id }) => id)) {
      rows.push(...group.rows.filter((row, place) => !same(row, old[place])).map(({ id }) => id));
    } else {
      groups.push(group.key);
    }
  }
  return { groups, rows };
}

function sameNames<T>(one: readonly T[], other: readonly T[], name: (item: T) => string): boolean {
  return one.map(name).join('\n') === other.map(name).join('\n');
}

function same(one: unknown, other: unknown): boolean {
  return JSON.stringify(one) === JSON.stringify(other);
}
