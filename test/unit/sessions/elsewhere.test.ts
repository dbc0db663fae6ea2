import assert from 'node:assert/strict';

import { english, never } from '../../../src/core/index.js';
import type { SessionSnapshot } from '../../../src/sessions/list/sessionSnapshot.js';
import { WindowFolders } from '../../../src/sessions/list/thisWindow.js';
import { type Arrangement, USUAL_ARRANGEMENT } from '../../../src/sessions/tree/arrangement.js';
import { SessionRows } from '../../../src/sessions/tree/sessionRows.js';
import { treeModel } from '../../../src/sessions/tree/treeModel.js';
import { closed, MINUTE, snapshot, START, thisMachine } from './snapshots.js';

describe('the folders of a window', () => {
  const open = (...folders: readonly string[]) => new WindowFolders(() => folders, never);
  const found = (changes: Partial<SessionSnapshot> = {}) => snapshot({ adopted: true, ...changes });

  it('have what was started there, in any window, or below', () => {
    const folders = open('/work/web', '/work/api/');
    const has = (folder: string) => folders.has(found({ folder, cwd: '/tmp' }));
    assert.deepEqual(
      ['/work/web', '/work/api', '/work/web/docs', '/work', '/work/website', '/work/other'].map(has),
      [true, true, true, false, false, false],
    );
  });

  it('have what runs there and was started by no window', () => {
    const folders = open('/work/web');
    assert.ok(folders.has(found({ cwd: '/work/web/src' })));
    assert.ok(!folders.has(found({ cwd: '/work' })));
    assert.ok(!folders.has(found({ cwd: '/work/web/src', folder: '/work/other' })), 'the window decides');
  });

  it('have all that this window has started, and all of other machines', () => {
    const folders = open('/work/web');
    assert.ok(folders.has(snapshot({ cwd: '/tmp', folder: '/work/before' })));
    assert.ok(folders.has(found({ cwd: '/tmp', environment: { id: 'far', label: 'Far' } })));
  });

  it('are empty in an empty window, which has the sessions without a folder', () => {
    assert.ok(open().has(found({ cwd: '/tmp' })));
    assert.ok(!open().has(found({ cwd: '/tmp', folder: '/work/web' })));
  });

  it('name a folder that is not open here, and each of several that are', () => {
    const name = (folders: WindowFolders, changes: Partial<SessionSnapshot> = {}) =>
      folders.nameable(snapshot({ cwd: '/work/web/src', ...changes }));
    const one = open('/work/web');
    assert.equal(name(one), undefined);
    assert.equal(name(one, { adopted: true, cwd: '/work/api' }), '/work/api');
    assert.equal(name(one, { adopted: true, folder: '/work/api' }), '/work/api');
    const several = open('/work', '/work/web', '/work/api');
    assert.equal(name(several), '/work/web');
    assert.equal(name(several, { cwd: '/work/docs' }), '/work');
    assert.equal(name(several, { cwd: '/tmp' }), undefined, 'this window has started it');
    assert.equal(name(several, { environment: { id: 'far', label: 'Far' } }), undefined);
  });

  it('compare paths of Windows as well', () => {
    const folders = open('c:\\work\\web');
    assert.ok(folders.has(found({ folder: 'c:\\work\\web' })));
    assert.ok(folders.has(found({ cwd: 'c:\\work\\web\\src' })));
    assert.ok(!folders.has(found({ cwd: 'c:\\work\\website' })));
  });
});

describe('the tree of a window with sessions of other folders', () => {
  const folders = new WindowFolders(() => ['/work/web'], never);
  const here = snapshot({ id: 'here', adopted: true, folder: '/work/web' });
  const there = snapshot({ id: 'there', adopted: true, folder: '/work/api', cwd: '/work/api/src' });
  const thereEnded: SessionSnapshot = {
    ...closed({ exitCode: 1 }, MINUTE),
    id: 'ended',
    adopted: true,
    folder: '/work/api',
  };
  const ofAgent: SessionSnapshot = {
    ...snapshot({ id: 'agent', adopted: true, cwd: '/tmp' }),
    origin: { kind: 'agent', name: 'Codex' },
    controller: 'agent',
  };
  const sessions = [here, thereEnded, ofAgent, there];

  const model = (changes: Partial<Arrangement> = {}, all: readonly SessionSnapshot[] = sessions) =>
    treeModel(all, START, english, { folders, arrangement: { ...USUAL_ARRANGEMENT, ...changes } });
  const drawn = (...given: Parameters<typeof model>) =>
    model(...given).groups.map(
      ({ label, description, rows }) => `${label} ${description}: ${rows.map(({ id }) => id).join()}`,
    );

  it('has them in a last group, collapsed, what runs first', () => {
    assert.deepEqual(drawn(), ['Running 1: here', 'Elsewhere 3 · 2 running: there,agent,ended']);
    assert.deepEqual(
      model().groups.map(({ collapsed }) => collapsed),
      [false, true],
    );
    assert.deepEqual(drawn({}, [thereEnded]), ['Elsewhere 1: ended']);
  });

  it('expands the group for a filter', () => {
    const made = new SessionRows();
    const collapsed = (filter: Arrangement['filter']) =>
      treeModel([there], START, english, { folders, made, arrangement: { ...USUAL_ARRANGEMENT, filter } })
        .groups[0]?.collapsed;
    assert.deepEqual([collapsed({}), collapsed({ text: 'npm' }), collapsed({})], [true, false, true]);
  });

  it('names their folders in the rows, and those of no other', () => {
    const rows = model().groups.flatMap((group) => group.rows);
    const names = rows.map(({ id, description }) => `${id}: ${description.split(' · ').at(-1)}`);
    assert.deepEqual(names, ['here: < 1 m', 'there: api', 'agent: tmp', 'ended: api']);
  });

  it('names them in place as well, but not where the group is the folder', () => {
    const made = new SessionRows();
    const described = (changes: Partial<Arrangement>) =>
      treeModel([there], START, english, {
        folders,
        made,
        arrangement: { ...USUAL_ARRANGEMENT, ...changes },
      }).groups[0]?.rows[0]?.description;
    assert.deepEqual(
      [described({}), described({ elsewhere: 'inPlace' }), described({ grouping: 'folder' }), described({})],
      ['< 1 m · api', '< 1 m · api', '< 1 m', '< 1 m · api'],
    );
    assert.equal(described({ grouping: 'folder', pinned: new Set(['there']) }), '< 1 m · api');
  });

  it('has no such group where all belong to this window', () => {
    assert.deepEqual(drawn({}, [here]), ['Running 1: here']);
  });

  it('shows them in place where somebody wants that, and by folder', () => {
    assert.deepEqual(drawn({ elsewhere: 'inPlace' }), ['Running 3: there,here,agent', 'Closed 1: ended']);
    assert.ok(!drawn({ grouping: 'folder' }).join().includes('Elsewhere'));
  });

  it('has them last also by owner, and a pinned one at the top', () => {
    assert.deepEqual(drawn({ grouping: 'owner', pinned: new Set(['there']) }), [
      'Pinned 1: there',
      'You 1: here',
      'Elsewhere 2 · 1 running: agent,ended',
    ]);
  });

  it('has them under this machine where environments are shown, also if only they pass the filter', () => {
    const shown = (arrangement: Partial<Arrangement>) =>
      treeModel(sessions, START, english, {
        folders,
        environments: [thisMachine],
        arrangement: { ...USUAL_ARRANGEMENT, grouping: 'environment', ...arrangement },
      }).environments.flatMap(({ groups }) => groups.map(({ key }) => key));
    assert.deepEqual(shown({}), ['local/running', 'local/elsewhere']);
    assert.deepEqual(shown({ filter: { failed: true } }), ['local/elsewhere']);
  });
});
