import type { SessionRow } from '../words/index.js';
import type { TreeModel } from './treeModel.js';

/** A row that has others below it, with those that are sessions. */
interface Section {
  readonly name: string;
  readonly rows: readonly SessionRow[];
}

/** Rows have moved: the row at this place, counted from the top of the tree, and all rows below it. */
interface Move {
  readonly first: number;
  readonly at: number;
}

/**
 * The time at which each row came to its place. Rows below it come and go without moving it. So a click on it can be
 * meant even while agents start one session after the other. All times are milliseconds of a monotonic clock.
 */
export class RowMoves {
  /** Oldest first, and from the top of the tree. A move makes earlier moves further down meaningless. */
  #moves: readonly Move[] = [];

  /** The tree looks different from `now` on. */
  look(before: TreeModel, after: TreeModel, now: number): void {
    const first = firstMoved(before, after);
    if (first !== undefined) {
      this.#moves = [...this.#moves.filter((move) => move.first < first), { first, at: now }];
    }
  }

  /** The time since the row of a session last moved in the tree; 0 without a row. */
  stillFor(id: string, tree: TreeModel, now: number): number {
    const place = placeOf(id, tree);
    if (place === undefined) {
      return 0;
    }
    const last = this.#moves.findLast(({ first }) => first <= place);
    return last === undefined ? Number.POSITIVE_INFINITY : now - last.at;
  }
}

/** The first place at which rows have come, gone or moved; undefined without any. */
function firstMoved(before: TreeModel, after: TreeModel): number | undefined {
  const olds = sections(before);
  let place = 0;
  for (const [index, { name, rows }] of sections(after).entries()) {
    const old = olds[index];
    if (old?.name !== name) {
      return place;
    }
    const row = rows === old.rows ? -1 : rows.findIndex(({ id }, at) => old.rows[at]?.id !== id);
    if (row >= 0) {
      return place + 1 + row;
    }
    place += 1 + rows.length;
    if (old.rows.length > rows.length) {
      return place;
    }
  }
  return olds.length > sections(after).length ? place : undefined;
}

function placeOf(id: string, tree: TreeModel): number | undefined {
  let place = 0;
  for (const { rows } of sections(tree)) {
    const row = rows.findIndex((one) => one.id === id);
    if (row >= 0) {
      return place + 1 + row;
    }
    place += 1 + rows.length;
  }
  return undefined;
}

/** All of the tree in its order. */
function sections({ groups, environments }: TreeModel): readonly Section[] {
  const named = ({ key, rows }: TreeModel['groups'][number]): Section => ({ name: `group:${key}`, rows });
  return [
    ...groups.map(named),
    ...environments.flatMap(({ row, groups: own }) => [
      { name: `environment:${row.id}`, rows: [] },
      ...own.map(named),
    ]),
  ];
}
