import type { TreeGroup } from './treeGroup.js';
import type { SessionRow } from '../words/index.js';
import type { TreeEnvironment, TreeModel } from './treeModel.js';

/**
 * The most rows of a group that are drawn again one by one. If more have changed, the whole group is drawn again. VS
 * Code searches all rows of the group for each named row; for all of 2,000 rows that takes longer than the group.
 */
const MOST_NAMED_ROWS = 50;

/** The parts of the tree that must be drawn again. A part inside another named part is not named. */
type TreeChange =
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

/** Whether both look the same and have the same groups, regardless of the groups' contents. */
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
    if (before[index] === group) {
      continue;
    }
    const old: readonly SessionRow[] = before[index]?.rows ?? [];
    const changed = sameNames(old, group.rows, ({ id }) => id)
      ? group.rows.filter((row, place) => !same(row, old[place]))
      : undefined;
    if (changed === undefined || changed.length > MOST_NAMED_ROWS) {
      groups.push(group.key);
    } else {
      rows.push(...changed.map(({ id }) => id));
    }
  }
  return { groups, rows };
}

function sameNames<T>(one: readonly T[], other: readonly T[], name: (item: T) => string): boolean {
  return (
    one.length === other.length &&
    one.every((item, place) => {
      const opposite = other[place];
      return opposite !== undefined && name(item) === name(opposite);
    })
  );
}

/** Compares two rows, whose values are plain. */
function same(one: object, other: object | undefined): boolean {
  if (one === other) {
    return true;
  }
  const values = Object.entries(one);
  const others = new Map(Object.entries(other ?? {}));
  return values.length === others.size && values.every(([name, value]) => others.get(name) === value);
}
