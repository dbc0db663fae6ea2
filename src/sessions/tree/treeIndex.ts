import type { EnvironmentRow } from '../environments/index.js';
import type { SessionRow } from '../words/index.js';
import type { TreeEnvironment, TreeGroup, TreeModel } from './treeModel.js';

/** The parts of one model by their names. VS Code asks for every row of a group, one after the other. */
export class TreeIndex {
  readonly #environments: ReadonlyMap<EnvironmentRow['id'], TreeEnvironment>;
  readonly #groups: ReadonlyMap<TreeGroup['key'], TreeGroup>;
  readonly #rows = new Map<SessionRow['id'], SessionRow>();

  constructor({ environments, groups }: TreeModel) {
    const all = [...groups, ...environments.flatMap((environment) => environment.groups)];
    this.#environments = new Map(environments.map((environment) => [environment.row.id, environment]));
    this.#groups = new Map(all.map((group) => [group.key, group]));
    for (const row of all.flatMap(({ rows }) => rows)) {
      this.#rows.set(row.id, row);
    }
  }

  environment(id: string): TreeEnvironment | undefined {
    return this.#environments.get(id);
  }

  group(key: string): TreeGroup | undefined {
    return this.#groups.get(key);
  }

  row(id: string): SessionRow | undefined {
    return this.#rows.get(id);
  }
}
