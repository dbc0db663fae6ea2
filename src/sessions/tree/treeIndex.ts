import type { EnvironmentRow } from '../environments/index.js';
import type { SessionRow } from '../words/index.js';
import type { TreeGroup } from './groups.js';
import type { TreeEnvironment, TreeModel } from './treeModel.js';

/** A group by its key. */
export interface GroupPlace {
  readonly key: TreeGroup['key'];
  /** The id of the environment that the group is in, if it is in one. */
  readonly environment: EnvironmentRow['id'] | undefined;
}

/** The parts of one model by their names. VS Code asks for every row of a group, one after the other. */
export class TreeIndex {
  readonly #environments: ReadonlyMap<EnvironmentRow['id'], TreeEnvironment>;
  readonly #groups: ReadonlyMap<TreeGroup['key'], TreeGroup>;
  readonly #rows = new Map<SessionRow['id'], SessionRow>();
  /** The groups that rows are in, by the ids of the rows. */
  readonly #places = new Map<SessionRow['id'], GroupPlace>();

  constructor({ environments, groups }: TreeModel) {
    const placed = [
      ...groups.map((group) => ({ group, environment: undefined })),
      ...environments.flatMap(({ row, groups: own }) => own.map((group) => ({ group, environment: row.id }))),
    ];
    this.#environments = new Map(environments.map((environment) => [environment.row.id, environment]));
    this.#groups = new Map(placed.map(({ group }) => [group.key, group]));
    for (const { group, environment } of placed) {
      for (const row of group.rows) {
        this.#rows.set(row.id, row);
        this.#places.set(row.id, { key: group.key, environment });
      }
    }
  }

  environment(id: string): TreeEnvironment | undefined {
    return this.#environments.get(id);
  }

  group(key: string): TreeGroup | undefined {
    return this.#groups.get(key);
  }

  /** The group that a row is in; undefined if there is no such row. */
  placeOf(id: string): GroupPlace | undefined {
    return this.#places.get(id);
  }

  row(id: string): SessionRow | undefined {
    return this.#rows.get(id);
  }
}
