import assert from 'node:assert/strict';
import { english } from '../../../src/core/index.js';
import type { SessionSnapshot } from '../../../src/sessions/list/sessionSnapshot.js';
import {
  filterText,
  isFiltering,
  NO_FILTER,
  passes,
  toggled,
  type TreeFilter,
  withText,
} from '../../../src/sessions/tree/treeFilter.js';
import { closed, snapshot } from './snapshots.js';

describe('a filter of the tree', () => {
  const web = snapshot({ id: 'web', commandLine: 'npm run dev', title: 'Web', cwd: '/work/web' });
  const api = { ...closed({ exitCode: 1 }), id: 'api', cwd: '/work/web-api' };
  const codex = snapshot({
    id: 'codex',
    commandLine: 'cargo test',
    cwd: '/work/web/deep',
    origin: { kind: 'agent', name: 'Codex' },
    environment: { id: 'build', label: 'Build' },
  });
  const shown = (filter: TreeFilter, sessions: readonly SessionSnapshot[] = [web, api, codex]) =>
    sessions.filter((session) => passes(session, filter)).map(({ id }) => id);

  it('shows everything without a criterion', () => {
    assert.deepEqual(shown(NO_FILTER), ['web', 'api', 'codex']);
    assert.ok(!isFiltering(NO_FILTER));
  });

  it('finds words in the name, the command line, the directory, the ports and the name of the agent', () => {
    for (const text of ['WEB dev', 'dev web', 'web /work']) {
      assert.ok(shown({ text }).includes('web'), text);
    }
    assert.deepEqual(shown({ text: 'codex' }), ['codex']);
    const serves = { ...web, ports: [3000, 5173] };
    for (const text of ['3000', ':5173', '30', 'dev :3000']) {
      assert.deepEqual(shown({ text }, [serves, codex]), ['web'], text);
    }
    const others = [
      { ...api, ports: [30001, 13000] },
      { ...codex, commandLine: 'curl localhost:3000/x' },
    ];
    assert.deepEqual(shown({ text: ':3000' }, [serves, ...others]), ['web', 'codex'], 'a whole port');
    assert.deepEqual(shown({ text: 'dev cargo' }), []);
  });

  it('finds agents, failures, environments and folders', () => {
    assert.deepEqual(shown({ agent: true }), ['codex']);
    assert.deepEqual(shown({ failed: true }), ['api']);
    assert.deepEqual(shown({ environment: 'build' }), ['codex']);
    for (const folder of ['/work/web', '/work/web/']) {
      assert.deepEqual(shown({ folder }), ['web', 'codex'], 'a folder beside it is not in it');
    }
    assert.deepEqual(shown({ folder: '/' }), ['web', 'api', 'codex']);
    assert.deepEqual(shown({ folder: 'C:\\work' }, [{ ...web, cwd: 'C:\\work\\web' }]), ['web']);
    assert.deepEqual(shown({ folder: '/work/web', agent: true }), ['codex'], 'all criteria hold');
  });

  it('removes a criterion that is chosen again', () => {
    const one = toggled(NO_FILTER, 'agent', true);
    assert.deepEqual(one, { agent: true });
    const two = toggled(one, 'folder', '/a');
    assert.deepEqual(toggled(two, 'folder', '/b'), { agent: true, folder: '/b' });
    assert.deepEqual(toggled(two, 'folder', '/a'), { agent: true });
    assert.ok(!isFiltering(toggled(one, 'agent', true)));
  });

  it('takes another text, and none', () => {
    assert.deepEqual(withText({ text: 'a', agent: true }, 'b'), { text: 'b', agent: true });
    assert.deepEqual(withText({ text: 'a', agent: true }, ''), { agent: true });
    assert.deepEqual(withText({ agent: true }, ''), { agent: true });
  });

  it('is said in few words', () => {
    const text = (filter: TreeFilter) => filterText(filter, (id) => id.toUpperCase(), english);
    assert.equal(text(NO_FILTER), undefined);
    assert.equal(
      text({ text: 'dev', agent: true, failed: true, environment: 'build', folder: '/work' }),
      '"dev", by agents, failed, on BUILD, in /work',
    );
    assert.equal(text({ text: 'x'.repeat(100) })?.length, 42);
  });
});
