import assert from 'node:assert/strict';

import type { EnvironmentDefinition } from '../../../../src/sessions/list/environment.js';
import { Environments } from '../../../../src/sessions/environments/environments.js';
import { residentPlace } from '../../../support/residentPlace.js';
import type { ExecEnvironment } from '../../../../src/sessions/list/environment.js';
import { FakeClock } from '../../../support/fakeClock.js';
import { ScriptedBackend } from '../../../support/scriptedBackend.js';

const define = (id: string): EnvironmentDefinition => ({ id, name: id, kind: 'command', argv: ['ssh', id] });

function setUp() {
  const clock = new FakeClock();
  const local: ExecEnvironment = { id: 'local', label: 'Here', backend: new ScriptedBackend(clock) };
  const backends: ScriptedBackend[] = [];
  const connected: ExecEnvironment[] = [];
  const environments = new Environments({
    local: residentPlace(local),
    connectTo: () => {
      const backend = new ScriptedBackend(clock);
      backends.push(backend);
      return Promise.resolve({ backend, disconnect: () => undefined });
    },
    connected: (environment) => connected.push(environment),
  });
  const shown = () =>
    environments.all.map(({ id, state, removed }) => `${id} ${state.kind}${removed ? ' removed' : ''}`);
  return { local, backends, connected, environments, shown };
}

describe('the environments', () => {
  it('always have this machine, which needs no connection', async () => {
    const { environments, local, shown, connected } = setUp();
    assert.deepEqual(shown(), ['local connected']);
    assert.equal(await environments.connect('local'), local);
    assert.deepEqual(connected, []);
    await environments.disconnect('local');
    assert.deepEqual(shown(), ['local connected']);
  });

  it('are those of the settings, in their order', () => {
    const { environments, shown } = setUp();
    const changed: string[] = [];
    environments.onDidChange(({ id }) => changed.push(id));
    environments.define([define('a'), define('b')]);
    assert.deepEqual(changed, ['a', 'b']);
    environments.define([define('b'), define('a')]);
    assert.deepEqual(shown(), ['local connected', 'b disconnected', 'a disconnected']);
    environments.define([]);
    assert.deepEqual(shown(), ['local connected']);
  });

  it('tell of each new backend once', async () => {
    const { environments, backends, connected } = setUp();
    environments.define([define('a')]);
    const first = await environments.connect('a');
    backends[0]?.loses('cut', 1_000);
    backends[0]?.recovers();
    assert.deepEqual(connected, [first]);
    backends[0]?.fails('gone');
    const second = await environments.connect('a');
    assert.deepEqual(connected, [first, second]);
  });

  it('report their changes of state', async () => {
    const { environments, backends } = setUp();
    environments.define([define('a')]);
    const changes: string[] = [];
    environments.onDidChange(({ id, before, after }) => changes.push(`${id} ${before.kind} ${after.kind}`));
    await environments.connect('a');
    backends[0]?.fails('gone');
    await environments.disconnect('a');
    assert.deepEqual(changes, [
      'a disconnected connecting',
      'a connecting connected',
      'a connected lost',
      'a lost disconnected',
    ]);
  });

  it('keep one that is connected and gone from the settings until it is disconnected', async () => {
    const { environments, shown } = setUp();
    environments.define([define('a'), define('b')]);
    await environments.connect('a');
    environments.define([define('b')]);
    assert.deepEqual(shown(), ['local connected', 'b disconnected', 'a connected removed']);
    await environments.disconnect('a');
    assert.deepEqual(shown(), ['local connected', 'b disconnected']);
    await assert.rejects(environments.connect('a'), { name: 'EnvironmentError', reason: 'unknown' });
  });

  it('cannot be connected any more after all are disconnected', async () => {
    const { environments, backends } = setUp();
    environments.define([define('a')]);
    await environments.disconnectAll();
    await assert.rejects(environments.connect('a'), { name: 'EnvironmentError', reason: 'cancelled' });
    assert.equal(backends.length, 0);
  });

  it('forget one that is gone from the settings when it is lost', async () => {
    const { environments, shown, backends } = setUp();
    environments.define([define('a')]);
    await environments.connect('a');
    environments.define([]);
    backends[0]?.fails('gone');
    assert.deepEqual(shown(), ['local connected']);
    environments.define([define('a')]);
    assert.deepEqual(shown(), ['local connected', 'a disconnected']);
  });

  describe('that are members of engines', () => {
    const pods = { id: 'pods', name: 'Pods', kind: 'kubernetes', members: '', cwd: '/srv' } as const;

    it('are known by their ids, and kept only while they are connected', async () => {
      const { environments, backends, shown } = setUp();
      environments.define([], [pods]);
      assert.deepEqual(environments.definitionOf('pods/shop/web-1'), {
        ...{ id: 'pods/shop/web-1', name: 'shop/web-1', kind: 'kubernetes', target: 'shop/web-1' },
        ...{ cwd: '/srv', engineId: 'pods' },
      });
      assert.equal(environments.get('pods/shop/web-1')?.state.kind, 'disconnected');
      assert.deepEqual(shown(), ['local connected']);
      const there = await environments.connect('pods/shop/web-1');
      assert.deepEqual([there.ownsSessions, there.label], [true, 'shop/web-1']);
      assert.deepEqual(shown(), ['local connected', 'pods/shop/web-1 connected']);
      assert.equal(await environments.connect('pods/shop/web-1'), there);
      environments.define([], [{ ...pods, cwd: '/other' }]);
      assert.deepEqual(shown(), ['local connected', 'pods/shop/web-1 connected']);
      environments.define([], []);
      assert.deepEqual(shown(), ['local connected', 'pods/shop/web-1 connected removed']);
      backends[0]?.fails('OOMKilled');
      assert.deepEqual(shown(), ['local connected']);
      assert.equal(environments.get('pods/shop/web-1'), undefined);
    });

    it('have names that no program reads as an option, in engines of the settings', async () => {
      const { environments } = setUp();
      environments.define([define('a')], [pods]);
      for (const id of ['pods/-o', 'pods/', 'pods', 'other/web', 'a/web', 'pods/a b']) {
        assert.equal(environments.get(id), undefined, id);
        await assert.rejects(environments.connect(id), { reason: 'unknown' }, id);
      }
    });

    it('tell that engines have come or changed', () => {
      const { environments } = setUp();
      const changed: string[] = [];
      environments.onDidChange(({ id }) => changed.push(id));
      environments.define([], [pods]);
      environments.define([], [{ ...pods }]);
      assert.deepEqual(changed, ['pods']);
    });
  });
});
