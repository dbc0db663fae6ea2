import assert from 'node:assert/strict';

import { english } from '../../../src/core/index.js';
import type { SessionSnapshot } from '../../../src/sessions/list/sessionSnapshot.js';
import { type Arrangement, USUAL_ARRANGEMENT } from '../../../src/sessions/tree/arrangement.js';
import { RowMoves } from '../../../src/sessions/tree/rowMoves.js';
import { treeModel } from '../../../src/sessions/tree/treeModel.js';
import { closed, MINUTE, snapshot, START } from './snapshots.js';

/** So long after the last move nothing is known of any. */
const EVER = Number.POSITIVE_INFINITY;

describe('the moves of rows', () => {
  const own = (id: string) => snapshot({ id });
  const agents = (id: string) =>
    snapshot({ id, origin: { kind: 'agent', name: 'Codex' }, controller: 'agent' });
  const model = (sessions: readonly SessionSnapshot[], changes: Partial<Arrangement> = {}, now = START) =>
    treeModel(sessions, now, english, { arrangement: { ...USUAL_ARRANGEMENT, ...changes } });
  /** How long rows have been still after the tree has looked like this, one look after the other, a second apart. */
  const still = (ids: readonly string[], ...looks: readonly ReturnType<typeof model>[]) => {
    const moves = new RowMoves();
    looks.slice(1).forEach((look, index) => moves.look(looks[index] ?? look, look, index * 1_000));
    const last = looks.at(-1) ?? model([]);
    return ids.map((id) => moves.stillFor(id, last, (looks.length - 1) * 1_000));
  };

  it('are empty where only times have changed', () => {
    const sessions = [own('a'), agents('b')];
    assert.deepEqual(still(['a', 'b'], model(sessions), model(sessions, {}, START + 5 * MINUTE)), [
      EVER,
      EVER,
    ]);
  });

  it('are those of the rows below what has come, and not of those above it', () => {
    const before = [own('mine'), agents('a')];
    assert.deepEqual(still(['mine', 'b', 'a'], model(before), model([...before, agents('b')])), [
      EVER,
      1_000,
      1_000,
    ]);
  });

  it('are those of the rows below what has gone', () => {
    const bad = { ...closed({ exitCode: 1 }), id: 'bad' };
    const before = [own('a'), own('b'), agents('c'), bad];
    const after = [own('a'), own('b'), bad];
    assert.deepEqual(still(['a', 'b', 'bad'], model(before), model(after)), [EVER, EVER, 1_000]);
  });

  it('are remembered of each row, the last one of each', () => {
    const looks = [
      [own('mine')],
      [own('mine'), agents('a')],
      [own('mine'), agents('a'), own('more')],
      [own('mine'), own('more')],
    ];
    assert.deepEqual(still(['more', 'mine'], ...looks.map((look) => model(look))), [2_000, 2_000]);
  });

  it('are of all that come into other groups', () => {
    const sessions = [own('a'), agents('b')];
    assert.deepEqual(
      still(['a', 'b'], model(sessions), model(sessions, { grouping: 'owner' })),
      [1_000, 1_000],
    );
    const pinned = new Set(['b']);
    assert.deepEqual(still(['a', 'b'], model(sessions), model(sessions, { pinned })), [1_000, 1_000]);
  });

  it('are unknown for rows that are not shown', () => {
    assert.deepEqual(still(['gone'], model([own('a')]), model([own('a')])), [0]);
  });
});
