import assert from 'node:assert/strict';
import { english, type Localizer } from '../../../src/core/index.js';
import type { EnvironmentSnapshot } from '../../../src/sessions/list/environment.js';
import type { SessionSnapshot } from '../../../src/sessions/list/sessionSnapshot.js';
import { treeChange } from '../../../src/sessions/tree/treeChange.js';
import { SessionRows } from '../../../src/sessions/tree/sessionRows.js';
import { EMPTY_TREE, treeModel, type TreeModel } from '../../../src/sessions/tree/treeModel.js';
import { MINUTE, snapshot, START, thisMachine } from './snapshots.js';

/** A session whose connection ended with these words. */
const lostBy = (ended: string) => ({ kind: 'disconnected', reason: { kind: 'ended', ended } }) as const;

const CUT = { kind: 'ended', ended: 'cut' } as const;

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
      ['closed', 'Closed', 1, 'd'],
      ['succeeded', 'Succeeded', 1, 'b'],
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
      engines: [],
      environments: [],
      groups: ['running'],
      rows: [],
    });
    assert.deepEqual(
      treeChange(
        model([running('a'), running('b'), ended('c')]),
        model([running('a'), ended('b'), ended('c')]),
      ),
      { all: false, engines: [], environments: [], groups: ['running', 'succeeded'], rows: [] },
    );
  });

  it('draws only those rows again whose text has changed', () => {
    const sessions = [running('a'), snapshot({ id: 'b', startedAt: START - 30_000 })];
    assert.deepEqual(treeChange(model(sessions, START), model(sessions, START + 20_000)), {
      all: false,
      engines: [],
      environments: [],
      groups: [],
      rows: [],
    });
    assert.deepEqual(treeChange(model(sessions, START), model(sessions, START + 40_000)), {
      all: false,
      engines: [],
      environments: [],
      groups: [],
      rows: ['b'],
    });
    assert.deepEqual(
      treeChange(model(sessions, START), model(sessions, START + MINUTE)),
      { all: false, engines: [], environments: [], groups: [], rows: ['b', 'a'] },
      'the newest is first',
    );
  });
});

describe('a tree of many sessions', () => {
  const many = Array.from({ length: 2_000 }, (_, index) => ended(`s${index}`));

  /** Counts the texts that are made: nearly all of the work for a row. */
  class CountingLocalizer implements Localizer {
    texts = 0;
    readonly t: Localizer['t'] = (...args) => {
      this.texts += 1;
      return english.t(...args);
    };
  }

  it('makes the row of the one that has changed, and no other', () => {
    const l10n = new CountingLocalizer();
    const rows = new SessionRows();
    const draw = (sessions: readonly SessionSnapshot[]) => {
      l10n.texts = 0;
      return treeModel(sessions, START, l10n, { made: rows });
    };
    const alone = draw([running('a')]);
    const texts = l10n.texts;
    const before = draw([...many, running('b')]);
    assert.ok(l10n.texts > 2 * many.length);
    const after = draw([...many, ended('b')]);
    assert.ok(l10n.texts < 2 * texts, `${l10n.texts} texts for one row, ${texts} for a tree of one`);
    const known = new Set(before.groups.flatMap((group) => group.rows));
    const again = after.groups.flatMap((group) => group.rows).filter((row) => !known.has(row));
    assert.deepEqual(
      again.map(({ id }) => id),
      ['b'],
      'all others are the same objects',
    );
    assert.equal(alone.groups.length, 1);
  });

  it('makes a row again that stands elsewhere now, where other buttons belong to it', () => {
    const rows = new SessionRows();
    const session = ended('a');
    const contexts = [true, false].map((held) => {
      const places = new Map([['a', { stage: 'running', rank: 1, held } as const]]);
      return treeModel([session], START, english, { made: rows, places }).groups[0]?.rows[0]?.contextValue;
    });
    assert.deepEqual(
      contexts.map((context) => context?.includes(';settled;')),
      [false, true],
    );
  });

  it('draws a group once rather than many rows, since VS Code would search for each row', () => {
    const before = model(many);
    const change = (count: number) =>
      treeChange(
        before,
        model(many.map((session, index) => (index < count ? { ...session, title: 'new' } : session))),
      );
    const few = change(50);
    assert.ok(!few.all);
    assert.deepEqual([few.groups, few.rows.length], [[], 50]);
    assert.deepEqual(change(51), {
      all: false,
      engines: [],
      environments: [],
      groups: ['succeeded'],
      rows: [],
    });
  });
});

describe('the tree with environments', () => {
  const there = (state: EnvironmentSnapshot['state'] = { kind: 'connected' }): EnvironmentSnapshot => ({
    ...thisMachine,
    id: 'build',
    label: 'Build',
    kind: 'command',
    state,
  });
  const far = (id: string, some: Partial<SessionSnapshot> = {}) =>
    snapshot({ id, environment: { id: 'build', label: 'Build' }, ...some });
  const tree = (
    sessions: readonly SessionSnapshot[],
    environments: readonly EnvironmentSnapshot[],
    now = START,
  ) => treeModel(sessions, now, english, { environments });
  const drawn = ({ environments }: TreeModel) =>
    environments.map(
      ({ row, groups }) =>
        `${row.id}: ${groups.map(({ key, rows }) => `${key} ${rows.map(({ id }) => id).join()}`).join(' ')}`,
    );

  it('shows none while only this machine is in use', () => {
    const model = tree([running('a')], [thisMachine, there({ kind: 'disconnected' })]);
    assert.deepEqual(model.environments, []);
    assert.deepEqual(
      model.groups.map(({ key }) => key),
      ['running'],
    );
  });

  it('groups by them as soon as another one is in use', () => {
    assert.deepEqual(drawn(tree([running('a')], [thisMachine, there()])), [
      'local: local/running a',
      'build: ',
    ]);
    const model = tree([running('a'), far('b'), far('c', { state: 'closed' })], [thisMachine, there()]);
    assert.deepEqual(drawn(model), ['local: local/running a', 'build: build/running b build/closed c']);
    assert.deepEqual([model.groups, model.running, model.counting], [[], 2, false]);
  });

  it('shows one that only sessions remember', () => {
    const lost = far('b', { state: 'lost', failure: lostBy('cut') });
    const model = tree([lost], [thisMachine]);
    assert.deepEqual(drawn(model), ['local: ', 'build: build/closed b']);
    assert.equal(model.environments[1]?.row.description, 'not connected · not in the settings any more');
  });

  it('draws again what counts down, and no more', () => {
    const until = START + 45_000;
    const state = { kind: 'recovering', reason: CUT, since: START, until } as const;
    const sessions = [running('a'), far('b', { recovering: { reason: CUT, until } })];
    const before = tree(sessions, [thisMachine, there(state)]);
    assert.ok(before.counting);
    const after = tree(sessions, [thisMachine, there(state)], START + 1_000);
    assert.deepEqual(treeChange(before, after), {
      all: false,
      engines: [],
      environments: ['build'],
      groups: [],
      rows: [],
    });
  });

  it('draws an environment again when its groups come and go, and all when environments do', () => {
    const one = tree([far('b')], [thisMachine, there()]);
    const two = tree([far('b'), far('c', { state: 'closed' })], [thisMachine, there()]);
    assert.deepEqual(treeChange(one, two), {
      all: false,
      engines: [],
      environments: ['build'],
      groups: [],
      rows: [],
    });
    const three = tree([far('b'), far('d')], [thisMachine, there()]);
    assert.deepEqual(treeChange(one, three), {
      all: false,
      engines: [],
      environments: [],
      groups: ['build/running'],
      rows: [],
    });
    const renamed = tree([far('b', { title: 'B' })], [thisMachine, there()]);
    assert.deepEqual(treeChange(one, renamed), {
      all: false,
      engines: [],
      environments: [],
      groups: [],
      rows: ['b'],
    });
    assert.deepEqual(treeChange(model([running('a')]), one), { all: true });
  });
});
