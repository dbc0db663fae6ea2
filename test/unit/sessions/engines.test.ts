import assert from 'node:assert/strict';

import { english } from '../../../src/core/index.js';
import type { MemberListing } from '../../../src/sessions/environments/engineRow.js';
import type { EngineDefinition, EnvironmentSnapshot } from '../../../src/sessions/list/environment.js';
import type { SessionSnapshot } from '../../../src/sessions/list/sessionSnapshot.js';
import { MemberWatch } from '../../../src/sessions/tree/memberWatch.js';
import { SessionRows } from '../../../src/sessions/tree/sessionRows.js';
import { treeChange } from '../../../src/sessions/tree/treeChange.js';
import { treeModel, type TreeModel } from '../../../src/sessions/tree/treeModel.js';
import { FakeClock } from '../../support/fakeClock.js';
import { snapshot, START, thisMachine } from './snapshots.js';

const PODS: EngineDefinition = { id: 'pods', name: 'Pods', kind: 'kubernetes', members: 'app=web' };

const read = (members: readonly string[], leftOut = 0): MemberListing => ({
  kind: 'read',
  leftOut,
  members: members.map((member) => {
    const [name, state = 'running', detail] = member.split('|') as [string, 'running'?, string?];
    return { name, state, detail };
  }),
});

const model = (
  listing: MemberListing,
  {
    sessions = [],
    environments = [thisMachine],
    made = new SessionRows(),
    text,
  }: {
    sessions?: readonly SessionSnapshot[];
    environments?: readonly EnvironmentSnapshot[];
    made?: SessionRows;
    text?: string;
  } = {},
): TreeModel =>
  treeModel(sessions, START, english, {
    engines: [{ definition: PODS, listing }],
    environments,
    made,
    ...(text !== undefined && {
      arrangement: {
        ...{ grouping: 'state', elsewhere: 'apart', pinned: new Set() },
        filter: { text },
      },
    }),
  });

/** The rows of all engines, with those below them. */
const drawn = ({ engines }: TreeModel): readonly string[] =>
  engines.flatMap(({ row, members, notes }) => [
    `${row.label} ${row.description}`,
    ...members.flatMap((member) => [
      `  ${member.row.label}: ${member.row.description}`,
      ...member.groups.map(({ label, count }) => `    ${label} ${count}`),
    ]),
    ...notes.map(({ label }) => `  (${label})`),
  ]);

const connected: EnvironmentSnapshot = {
  ...thisMachine,
  ...{ id: 'pods/web', label: 'web', kind: 'kubernetes', target: 'kubernetes web' },
};
const onMember = snapshot({ id: 'a', environment: { id: 'pods/web', label: 'web' } });

describe('the row of an engine', () => {
  it('has its members below it, with the state and the reason of each', () => {
    const listing = read([
      'web',
      'job|waiting|Priority, third in the queue',
      'db|ended|OOMKilled',
      'x|running|2 h left',
    ]);
    assert.deepEqual(drawn(model(listing)), [
      'Pods kubernetes · 4',
      '  web: running',
      '  job: waiting: Priority, third in the queue',
      '  db: ended: OOMKilled',
      '  x: 2 h left',
    ]);
  });

  it('starts sessions in a member that runs, in one click, and in no other', () => {
    const [engine] = model(read(['web', 'job|waiting', 'db|ended'])).engines;
    assert.deepEqual(
      engine?.members.map(({ row }) => [row.id, row.contextValue.includes(';startable;')]),
      [
        ['pods/web', true],
        ['pods/job', false],
        ['pods/db', false],
      ],
    );
  });

  it('says why there are no members', () => {
    const below = (listing: MemberListing) => drawn(model(listing)).slice(1);
    assert.deepEqual(below({ kind: 'unread' }), ['  (Looking for members…)']);
    assert.deepEqual(below({ kind: 'failed', reason: 'error:\n no such context' }), [
      '  (error: no such context)',
    ]);
    assert.deepEqual(below(read([])), ['  (no members)']);
    assert.deepEqual(below(read(['web'], 41)), ['  web: running', '  (41 more)']);
  });

  it('has the sessions of a connected member below that, and no row of the member elsewhere', () => {
    const tree = model(read(['web|running|2 h left']), {
      sessions: [onMember],
      environments: [thisMachine, connected],
    });
    assert.deepEqual(drawn(tree), ['Pods kubernetes · 1', '  web: connected · 2 h left', '    Running 1']);
    assert.deepEqual(
      tree.environments.map(({ row }) => row.id),
      ['local'],
    );
  });

  it('keeps a member that is gone as long as it has sessions', () => {
    const lost = { ...onMember, state: 'lost' } as const;
    const [engine] = model(read([]), { sessions: [lost] }).engines;
    assert.deepEqual(
      engine?.members.map(({ row, groups }) => [row.label, row.description, row.contextValue, groups.length]),
      [['web', 'gone', ';environment;', 1]],
    );
    assert.deepEqual(drawn(model({ kind: 'unread' }, { sessions: [lost] })).slice(1, 2), [
      '  web: not connected',
    ]);
  });

  it('has only members with sessions that pass the filter, and is hidden without any', () => {
    const listing = read(['web', 'db']);
    const shown = (text: string) =>
      drawn(model(listing, { sessions: [onMember], environments: [thisMachine, connected], text }));
    assert.deepEqual(shown('npm'), ['Pods kubernetes · 2', '  web: connected · running', '    Running 1']);
    assert.deepEqual(shown('nowhere'), []);
  });

  it('is drawn again when members come and go, and a member alone when that changes', () => {
    const before = model(read(['web', 'db']));
    const change = (listing: MemberListing) => treeChange(before, model(listing));
    const none = { all: false, engines: [], environments: [], groups: [], rows: [] };
    assert.deepEqual(change(read(['web', 'db'])), none);
    assert.deepEqual(change(read(['web', 'db|ended'])), { ...none, environments: ['pods/db'] });
    assert.deepEqual(change(read(['web', 'db', 'new'])), { ...none, engines: ['pods'] });
    assert.deepEqual(change({ kind: 'failed', reason: 'gone' }), { ...none, engines: ['pods'] });
    assert.deepEqual(treeChange(before, treeModel([], START, english)), { all: true });
  });

  it('makes the rows of a thousand members once, not with each change of a session', () => {
    const listing = read(Array.from({ length: 1_000 }, (_, at) => `pod-${at}`));
    const made = new SessionRows();
    const [first] = model(listing, { made }).engines;
    const [second] = model(listing, { made, sessions: [snapshot()] }).engines;
    assert.equal(first?.members.length, 1_000);
    assert.ok(first.members.every(({ row }, at) => row === second?.members[at]?.row));
  });
});

describe('the members of engines', () => {
  const setUp = () => {
    const clock = new FakeClock();
    const asked: string[] = [];
    const answers: (readonly string[] | Error)[] = [];
    const watch = new MemberWatch(clock, ({ id }) => {
      asked.push(id);
      const answer = answers.shift() ?? [];
      return answer instanceof Error
        ? Promise.reject(answer)
        : Promise.resolve({ members: answer.map((name) => ({ name, state: 'running' })), leftOut: 0 });
    });
    const engines = [PODS, { ...PODS, id: 'more' }];
    const listing = () => watch.look(engines)[0]?.listing;
    listing();
    return { clock, asked, answers, watch, engines, listing, settle: () => new Promise(setImmediate) };
  };

  it('are read while the row is expanded and the view can be seen, every 15 seconds', async () => {
    const { clock, asked, watch, settle } = setUp();
    watch.watch('pods', true);
    clock.advance(60_000);
    assert.deepEqual(asked, [], 'the view cannot be seen');
    watch.setVisible(true);
    await settle();
    assert.deepEqual(asked, ['pods']);
    clock.advance(14_999);
    watch.setVisible(false);
    watch.setVisible(true);
    assert.equal(asked.length, 1);
    clock.advance(1);
    await settle();
    assert.equal(asked.length, 2);
    watch.watch('pods', false);
    clock.advance(60_000);
    assert.deepEqual([asked.length, clock.pendingTimers], [2, 0]);
    watch.dispose();
  });

  it('stay shown while they are read again, until the engine fails', async () => {
    const { clock, answers, watch, listing, settle } = setUp();
    answers.push(['web'], ['web'], new Error('docker: no\nsuch daemon'));
    watch.setVisible(true);
    watch.watch('pods', true);
    assert.equal(listing()?.kind, 'reading');
    await settle();
    const first = listing();
    assert.deepEqual(first, { kind: 'read', members: [{ name: 'web', state: 'running' }], leftOut: 0 });
    clock.advance(15_000);
    assert.equal(listing(), first);
    await settle();
    assert.equal(listing(), first, 'nothing has changed');
    clock.advance(15_000);
    await settle();
    assert.deepEqual(listing(), { kind: 'failed', reason: 'docker: no such daemon' });
    watch.dispose();
  });

  it('are read once for two who ask at the same time', async () => {
    const { asked, watch } = setUp();
    await Promise.all([watch.read(PODS), watch.read(PODS)]);
    assert.deepEqual(asked, ['pods']);
  });

  it('of an engine that is out of the settings are neither kept nor read', () => {
    let aborted = false;
    const watch = new MemberWatch(new FakeClock(), (_, signal) => {
      signal.addEventListener('abort', () => (aborted = true));
      return new Promise(() => undefined);
    });
    watch.look([PODS]);
    void watch.read(PODS);
    watch.look([]);
    assert.ok(aborted);
  });
});
