import type { TreeEnvironment, TreeGroup } from './treeGroup.js';
import type { SessionRow } from '../words/index.js';
import type { TreeEngine } from './treeEngines.js';
import type { TreeModel } from './treeModel.js';

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
      /** Ids of engines and environments, keys of groups, ids of sessions. */
      readonly engines: readonly string[];
      readonly environments: readonly string[];
      readonly groups: readonly string[];
      readonly rows: readonly string[];
    };

/** Compares the shown tree with the new one. Equal parts are left alone. */
export function treeChange(before: TreeModel, after: TreeModel): TreeChange {
  if (
    !sameNames(before.environments, after.environments, ({ row }) => row.id) ||
    !sameNames(before.engines, after.engines, ({ row }) => row.id) ||
    !sameNames(before.groups, after.groups, ({ key }) => key)
  ) {
    return { all: true };
  }
  const engines: string[] = [];
  const environments: string[] = [];
  const inside = [groupsChange(before.groups, after.groups)];
  const look = (one: readonly TreeEnvironment[], other: readonly TreeEnvironment[]) => {
    for (const [index, environment] of other.entries()) {
      const old = one[index];
      if (old === undefined || !sameEnvironment(old, environment)) {
        environments.push(environment.row.id);
      } else {
        inside.push(groupsChange(old.groups, environment.groups));
      }
    }
  };
  look(before.environments, after.environments);
  for (const [index, engine] of after.engines.entries()) {
    const old = before.engines[index];
    if (old === undefined || !sameEngine(old, engine)) {
      engines.push(engine.row.id);
    } else {
      look(old.members, engine.members);
    }
  }
  return {
    all: false,
    engines,
    environments,
    groups: inside.flatMap(({ groups }) => groups),
    rows: inside.flatMap(({ rows }) => rows),
  };
}

/** Whether both look the same and have the same groups, regardless of the groups' contents. */
function sameEnvironment(one: TreeEnvironment, other: TreeEnvironment): boolean {
  return same(one.row, other.row) && sameNames(one.groups, other.groups, ({ key }) => key);
}

/** Whether both look the same and have the same members, regardless of what is said of them. */
function sameEngine(one: TreeEngine, other: TreeEngine): boolean {
  return (
    same(one.row, other.row) &&
    sameNames(one.members, other.members, ({ row }) => row.id) &&
    sameNames(one.notes, other.notes, ({ id, label }) => `${id} ${label}`)
  );
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
    // The row of a batch tells how its sessions stand.
    const looksSame = before[index]?.description === group.description;
    const changed =
      looksSame && sameNames(old, group.rows, ({ id }) => id)
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
