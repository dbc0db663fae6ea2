import assert from 'node:assert/strict';
import { english } from '../../../src/core/index.js';
import type { SessionSnapshot } from '../../../src/sessions/list/sessionSnapshot.js';
import {
  type Arrangement,
  ArrangementChoice,
  type KeptArrangement,
  USUAL_ARRANGEMENT,
} from '../../../src/sessions/tree/arrangement.js';
import { treeModel } from '../../../src/sessions/tree/treeModel.js';
import { closed, MINUTE, snapshot, START, thisMachine } from './snapshots.js';

describe('the arrangement of the tree', () => {
  const agents = (id: string) =>
    snapshot({ id, origin: { kind: 'agent', name: 'Codex' }, controller: 'agent', cwd: '/work/web' });
  const model = (sessions: readonly SessionSnapshot[], changes: Partial<Arrangement> = {}) =>
    treeModel(sessions, START, english, { arrangement: { ...USUAL_ARRANGEMENT, ...changes } });
  const drawn = (sessions: readonly SessionSnapshot[], changes: Partial<Arrangement> = {}) => {
    const { groups, environments } = model(sessions, changes);
    const all = [
      ...groups,
      ...environments.flatMap(({ row, groups: own }) =>
        own.map((group) => ({ ...group, label: `${row.label}/${group.label}` })),
      ),
    ];
    return all.map(
      ({ label, description, rows }) => `${label} ${description}: ${rows.map(({ id }) => id).join()}`,
    );
  };
  const failed = (id: string, after: number) => ({ ...closed({ exitCode: 1 }, after), id });

  it("puts a person's own sessions above those of agents", () => {
    assert.deepEqual(drawn([snapshot({ id: 'old' }), agents('a'), snapshot({ id: 'new' }), agents('b')]), [
      'Running 4: new,old,b,a',
    ]);
  });

  it('orders what has ended by its end, not by its start', () => {
    assert.deepEqual(drawn([failed('server', 9 * MINUTE), failed('test', MINUTE)]), [
      'Closed 2: server,test',
    ]);
  });

  it('collapses what succeeded, and nothing else', () => {
    const well = { ...closed({ exitCode: 0 }), id: 'well' };
    const { groups } = model([snapshot({ id: 'a' }), well, failed('bad', 1)]);
    assert.deepEqual(
      groups.map(({ kind, collapsed }) => `${kind} ${collapsed}`),
      ['running false', 'closed false', 'succeeded true'],
    );
  });

  it('has pinned ones at the top, wherever they would be, and nowhere else', () => {
    const pinned = new Set(['a', 'bad']);
    const sessions = [snapshot({ id: 'a' }), failed('bad', 1), snapshot({ id: 'b' })];
    assert.deepEqual(drawn(sessions, { pinned }), ['Pinned 2: bad,a', 'Running 1: b']);
    const [group] = model(sessions, { pinned }).groups;
    assert.ok(group?.rows.every(({ contextValue }) => contextValue.includes(';pinned;')));
  });

  it('groups by owner: you first, then each other by name', () => {
    const api = snapshot({ id: 'x', origin: { kind: 'extension', name: 'Tasks' } });
    assert.deepEqual(drawn([agents('a'), api, snapshot({ id: 'me' })], { grouping: 'owner' }), [
      'You 1: me',
      'Tasks 1: x',
      'Codex 1: a',
    ]);
  });

  it('groups by folder, with the place of the folder', () => {
    const sessions = [
      agents('a'),
      snapshot({ id: 'me', cwd: '/work/web' }),
      snapshot({ id: 'top', cwd: '/' }),
    ];
    assert.deepEqual(drawn(sessions, { grouping: 'folder' }), ['/ 1: top', 'web 2 · /work/: me,a']);
  });

  it('groups by environment, also if only this machine is in use', () => {
    const arrangement = { ...USUAL_ARRANGEMENT, grouping: 'environment' } as const;
    const shown = (sessions: readonly SessionSnapshot[]) =>
      treeModel(sessions, START, english, { arrangement, environments: [thisMachine] }).environments.length;
    assert.deepEqual([shown([snapshot()]), shown([])], [1, 0]);
  });

  it('shows only what passes the filter, and counts all that runs', () => {
    const tree = model([snapshot({ id: 'me' }), agents('a')], { filter: { agent: true } });
    assert.deepEqual(
      tree.groups.map(({ rows }) => rows.map(({ id }) => id)),
      [['a']],
    );
    assert.deepEqual([tree.running, tree.filter], [2, 'by agents']);
  });

  it('keeps the grouping that was chosen, and nothing that makes no sense', () => {
    const saved: KeptArrangement[] = [];
    const nonsense = { grouping: 'nonsense', elsewhere: 7 };
    const choice = new ArrangementChoice(nonsense, (kept) => saved.push(kept));
    const usual = { grouping: 'state', elsewhere: 'apart', filter: {} };
    assert.deepEqual(choice.current, usual);
    choice.groupBy('owner');
    choice.showElsewhere('inPlace');
    choice.show({ failed: true });
    assert.deepEqual(
      saved.map(({ grouping, elsewhere }) => `${grouping} ${elsewhere}`),
      ['owner apart', 'owner inPlace'],
    );
    const kept = { grouping: 'owner', elsewhere: 'inPlace' } as const;
    const later = new ArrangementChoice(kept, () => undefined);
    assert.deepEqual(later.current, { ...usual, ...kept });
  });
});
