import assert from 'node:assert/strict';
import { english } from '../../../src/core/index.js';
import type { SessionSnapshot } from '../../../src/sessions/session.js';
import { EMPTY_TREE, treeChange, treeModel, type TreeModel } from '../../../src/sessions/treeModel.js';
import { MINUTE, snapshot, START } from './snapshots.js';

const model = (sessions: readonly SessionSnapshot[], now = START): TreeModel =>
  treeModel(sessions, now, english);

const running = (id: string) => snapshot({ id });
const ended = (id: string) =>
  snapshot({ id, state: 'closed', exit: { exitCode: 0 }, exitedAt: START, closedAt: START });

describe('the model of the tree', () => {
  it('has groups only for what is there, newest first, with counts', () => {
    const tree = model([
      running('a'),
      ended('b'),
      snapshot({ id: 'c', state: 'starting' }),
      snapshot({ id: 'd', state: 'lost' }),
    ]);
    const shown = tree.groups.map(({ kind, label, count, rows }) => [
      kind,
      label,
      count,
      rows.map(({ id }) => id).join(''),
    ]);
    assert.deepEqual(shown, [
      ['running', 'Running', 2, 'ca'],
      ['closed', 'Closed', 2, 'db'],
    ]);
    assert.equal(tree.running, 2);
    assert.equal(model([]).groups.length, 0);
  });

  it('has a group of its own for exited sessions whose output is open', () => {
    const tree = model([snapshot({ state: 'exited', exit: { exitCode: 7 }, exitedAt: START })]);
    assert.deepEqual(
      tree.groups.map(({ kind, accessibilityLabel }) => [kind, accessibilityLabel]),
      [['exited', 'Exited, one session']],
    );
  });

  it('draws all again only when a group comes or goes', () => {
    assert.deepEqual(treeChange(EMPTY_TREE, model([running('a')])), { all: true });
    assert.deepEqual(treeChange(model([running('a')]), model([ended('a')])), { all: true });
    assert.deepEqual(treeChange(model([running('a')]), EMPTY_TREE), { all: true });
  });

  it('draws a group again when its rows come, go or move', () => {
    assert.deepEqual(treeChange(model([running('a')]), model([running('a'), running('b')])), {
      all: false,
      groups: ['running'],
      rows: [],
    });
    assert.deepEqual(
      treeChange(
        model([running('a'), running('b'), ended('c')]),
        model([running('a'), ended('b'), ended('c')]),
      ),
      { all: false, groups: ['running', 'closed'], rows: [] },
    );
  });

  it('draws only those rows again whose text has changed', () => {
    const sessions = [running('a'), snapshot({ id: 'b', startedAt: START - 30_000 })];
    assert.deepEqual(treeChange(model(sessions, START), model(sessions, START + 20_000)), {
      all: false,
      groups: [],
      rows: [],
    });
    assert.deepEqual(treeChange(model(sessions, START), model(sessions, START + 40_000)), {
      all: false,
      groups: [],
      rows: ['b'],
    });
    assert.deepEqual(
      treeChange(model(sessions, START), model(sessions, START + MINUTE)),
      { all: false, groups: [], rows: ['b', 'a'] },
      'the newest is first',
    );
  });
});
