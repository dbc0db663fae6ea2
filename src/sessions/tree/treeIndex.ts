import type { TreeEnvironment, TreeGroup } from './treeGroup.js';
import type { EnvironmentRow } from '../environments/index.js';
import type { SessionRow } from '../words/index.js';
import type { TreeEngine } from './treeEngines.js';
import type { TreeModel } from './treeModel.js';

/** A group by its key. */
interface GroupPlace {
  readonly key: TreeGroup['key'];
  /** The id of the environment that the group is in, if it is in one. */
  readonly environment: EnvironmentRow['id'] | undefined;
}

/** The parts of one model by their names. VS Code asks for every row of a group, one after the other. */
export class TreeIndex {
  readonly #environments: ReadonlyMap<EnvironmentRow['id'], TreeEnvironment>;
  readonly #engines: ReadonlyMap<EnvironmentRow['id'], TreeEngine>;
  readonly #groups: ReadonlyMap<TreeGroup['key'], TreeGroup>;
  /** The groups with their places, in the order of the tree. */
  readonly #placed: readonly { readonly group: TreeGroup; readonly place: GroupPlace }[];
  /** The rows of groups by their ids. */
  readonly #rows: WeakMap<TreeGroup, ReadonlyMap<SessionRow['id'], SessionRow>>;

  /** @param before The index of the previous model. A group that has not changed is the same object in both. */
  constructor({ environments: own, engines, groups }: TreeModel, before?: TreeIndex) {
    const environments = [...own, ...engines.flatMap(({ members }) => members)];
    this.#rows = before === undefined ? new WeakMap() : before.#rows;
    this.#placed = [
      ...groups.map((group) => ({ group, place: { key: group.key, environment: undefined } })),
      ...environments.flatMap(({ row, groups: inside }) =>
        inside.map((group) => ({ group, place: { key: group.key, environment: row.id } })),
      ),
    ];
    this.#environments = new Map(environments.map((environment) => [environment.row.id, environment]));
    this.#engines = new Map(engines.map((engine) => [engine.row.id, engine]));
    this.#groups = new Map(this.#placed.map(({ group }) => [group.key, group]));
  }

  environment(id: string): TreeEnvironment | undefined {
    return this.#environments.get(id);
  }

  engine(id: string): TreeEngine | undefined {
    return this.#engines.get(id);
  }

  group(key: string): TreeGroup | undefined {
    return this.#groups.get(key);
  }

  /** The group that a row is in; undefined if there is no such row. */
  placeOf(id: string): GroupPlace | undefined {
    return this.#placed.find(({ group }) => this.#rowsOf(group).has(id))?.place;
  }

  /** The row of a session, or one that only tells something. */
  row(id: string): SessionRow | undefined {
    for (const { group } of this.#placed) {
      const row = this.#rowsOf(group).get(id);
      if (row !== undefined) {
        return row;
      }
    }
    const engines = [...this.#engines.values()];
    return engines.flatMap(({ notes }) => notes).find((note) => note.id === id);
  }

  #rowsOf(group: TreeGroup): ReadonlyMap<SessionRow['id'], SessionRow> {
    let rows = this.#rows.get(group);
    if (rows === undefined) {
      rows = new Map(group.rows.map((row) => [row.id, row]));
      this.#rows.set(group, rows);
    }
    return rows;
  }
}
