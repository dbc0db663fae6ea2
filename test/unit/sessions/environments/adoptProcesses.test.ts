import assert from 'node:assert/strict';

import type { LaunchRequest, StartParams } from '../../../../src/core/index.js';
import {
  adoptNewcomers,
  adoptProcesses,
  MOST_ADOPTED,
} from '../../../../src/sessions/environments/adoptProcesses.js';
import { SessionList } from '../../../../src/sessions/list/sessionList.js';
import { FakeClock } from '../../../support/fakeClock.js';
import { BASE_SERVER, EVERYTHING, ScriptedBackend } from '../../../support/scriptedBackend.js';

const REQUEST: LaunchRequest = {
  argv: ['make'],
  cwd: '/srv',
  env: {},
  tty: true,
  origin: { kind: 'user' },
};

const turn = () => new Promise((resolve) => setImmediate(resolve));

function setUp(backend = new ScriptedBackend(new FakeClock())) {
  const list = new SessionList({ clock: new FakeClock() });
  const environment = { id: 'build', label: 'Build', backend };
  const runs = (processId: string, some: Partial<StartParams> = {}) =>
    backend.runs({ processId, argv: ['sleep', '9'], cwd: '/srv', env: {}, tty: false, ...some });
  return {
    list,
    backend,
    environment,
    runs,
    adopt: async () => (await adoptProcesses(list, environment, '1.2.3')).adopted,
  };
}

describe('processes that an environment has already', () => {
  it('become sessions, with what is known of them', async () => {
    const { list, runs, adopt } = setUp();
    const process = runs('h1', {
      metadata: { commandLine: 'npm test', title: 'Tests', origin: { kind: 'agent', name: 'A' } },
    });
    runs('h2', { metadata: { origin: 'nonsense', commandLine: 7 } });
    assert.equal(await adopt(), 2);
    const [first, second] = list.sessions.map((session) => session.snapshot());
    assert.deepEqual(
      [first?.title, first?.commandLine, first?.origin, first?.state],
      ['Tests', 'npm test', { kind: 'agent', name: 'A' }, 'running'],
    );
    assert.deepEqual([second?.commandLine, second?.origin], ['sleep 9', { kind: 'other' }]);
    assert.equal(process.holders, 1);
    process.ends(3);
    const { exit, state } = list.sessions[0]?.snapshot() ?? assert.fail();
    assert.deepEqual([exit, state], [{ exitCode: 3 }, 'closed'], 'the list follows them');
  });

  it('keep their sandbox, also where the server does not say how they were started', async () => {
    const sandbox = { places: [{ path: '/srv', access: 'write' }], network: true } as const;
    const capabilities = { ...EVERYTHING, startedWith: false };
    const { list, backend, runs, adopt } = setUp(new ScriptedBackend(new FakeClock(), { capabilities }));
    runs('h1', { sandbox });
    await adopt();
    const session = list.sessions[0] ?? assert.fail();
    assert.deepEqual(session.snapshot().sandbox, sandbox);
    await list.runAgain(session);
    assert.deepEqual(backend.processes.at(-1)?.params.sandbox, sandbox);
  });

  it('are never shown as starting or running if they have ended', async () => {
    const { list, runs, adopt } = setUp();
    runs('h1').ends(3);
    const seen: string[] = [];
    list.onDidChange(({ session }) => seen.push(session.state));
    await adopt();
    assert.deepEqual([...new Set(seen)], ['closed']);
  });

  it('keep the id, the name and the order that they have in other windows', async () => {
    const { list, runs, adopt } = setUp();
    runs('h1', { metadata: { sessionId: 'one', previousId: 'zero', inputClosed: true } });
    runs('h2', { metadata: { sessionId: '' } });
    runs('h3', { metadata: { sessionId: 'x'.repeat(101) } });
    runs('h4', { metadata: { sessionId: 'four', origin: { kind: 'agent' }, controller: 'person' } });
    assert.equal(await adopt(), 4);
    const ids = list.sessions.map(({ id }) => id);
    assert.deepEqual([ids[0], ids[3]], ['one', 'four']);
    assert.ok(ids.slice(1, 3).every((id) => id.length === 36));
    const first = list.get('one')?.snapshot();
    assert.deepEqual([first?.previousId, first?.inputClosed], ['zero', true]);
    assert.equal(list.get('four')?.snapshot().controller, 'person');
  });

  it('appear as soon as another client starts them, once', async () => {
    const { list, backend, environment, runs } = setUp();
    adoptNewcomers(list, environment, '1.2.3');
    await list.start(environment, REQUEST);
    runs('h1', { metadata: { sessionId: 'one' } });
    backend.tells({ type: 'added', processId: 'h1' });
    backend.tells({ type: 'added', processId: 'h1' });
    backend.tells({ type: 'added', processId: list.sessions[0]?.id ?? '' });
    await turn();
    assert.deepEqual(
      list.sessions.slice(1).map(({ id }) => id),
      ['one'],
    );
  });

  it('change, and leave, when another client changes or removes them', async () => {
    const { list, backend, runs, adopt } = setUp();
    const process = runs('h1', { owned: true, metadata: { sessionId: 'one', origin: { kind: 'agent' } } });
    await adopt();
    const session = list.get('one') ?? assert.fail();
    const told: string[] = [];
    session.control?.onDidChangeController((controller) => told.push(controller));
    await process.describe({ title: 'New', controller: 'person' });
    assert.deepEqual([session.title, told], ['New', ['person']]);
    backend.tells({ type: 'removed', processId: 'h1', expired: true });
    assert.equal(list.get('one'), session, 'what is here is kept');
    backend.tells({ type: 'removed', processId: 'h1' });
    assert.equal(list.get('one'), undefined);
  });

  it('are run again with the variables that the server tells', async () => {
    const { list, backend, runs, adopt } = setUp();
    runs('h1', { env: { WHO: 'me' }, metadata: { title: 'Named' } });
    await adopt();
    await list.runAgain(list.sessions[0] ?? assert.fail());
    const { params } = backend.processes.at(-1) ?? assert.fail();
    assert.deepEqual([params.env, params.envPolicy], [{ WHO: 'me' }, undefined]);
    assert.equal(params.metadata?.['title'], 'Named');
  });

  it('are run again like any other where the server does not tell how they were started', async () => {
    const { list, backend, runs, adopt } = setUp(
      new ScriptedBackend(new FakeClock(), { capabilities: { ...EVERYTHING, startedWith: false } }),
    );
    runs('h1', { tty: true });
    await adopt();
    const [session] = list.sessions;
    assert.ok(session);
    await list.runAgain(session);
    const params = backend.processes.at(-1)?.params;
    assert.deepEqual(
      [params?.argv, params?.cwd, params?.env['TERM']],
      [['sleep', '9'], '/srv', 'xterm-256color'],
    );
    assert.equal(params?.envPolicy?.inherit, 'all');
    assert.equal(params.stderrToStdout, false);
  });

  it('share a pipe for both outputs again if they did so', async () => {
    const { list, backend, environment, runs, adopt } = setUp();
    await list.start(environment, { ...REQUEST, stderrToStdout: true });
    const { metadata = {} } = backend.processes.at(-1)?.params ?? assert.fail();
    runs('h1', { metadata: { stderrToStdout: metadata['stderrToStdout'] } });
    await adopt();
    await list.runAgain(list.sessions.at(-1) ?? assert.fail());
    assert.equal(backend.processes.at(-1)?.params.stderrToStdout, true);
  });

  it('are not shown if the server drops them meanwhile', async () => {
    const { list, backend, runs, adopt } = setUp();
    const removed = runs('h1');
    runs('h2');
    const attach = backend.attach.bind(backend);
    backend.attach = (processId) => {
      removed.fails('It was removed.');
      return attach(processId);
    };
    assert.equal(await adopt(), 1);
    assert.deepEqual(
      list.sessions.map(({ processId }) => processId),
      ['h2'],
    );
  });

  it('are not shown twice', async () => {
    const { list, environment, runs, adopt } = setUp();
    runs('h1');
    await list.start(environment, REQUEST);
    assert.equal(await adopt(), 1);
    assert.equal(await adopt(), 0);
    assert.equal(list.sessions.length, 2);
  });

  it('come as new sessions if they were lost: the old ones stay so', async () => {
    const { list, backend, environment } = setUp();
    const session = await list.start(environment, REQUEST);
    backend.fails('cut');
    assert.equal(session.state, 'lost');
    const again = new ScriptedBackend(new FakeClock());
    const process = again.runs({ ...REQUEST, processId: 'handle', metadata: { sessionId: session.id } });
    const next = { ...environment, backend: again };
    assert.deepEqual(await adoptProcesses(list, next, ''), { adopted: 1, left: 0 });
    assert.deepEqual(
      list.sessions.map(({ state }) => state),
      ['lost', 'running'],
    );
    assert.deepEqual(await adoptProcesses(list, next, ''), { adopted: 0, left: 0 });
    assert.equal(process.holders, 1);
  });

  it('are limited in number, running ones first, and the rest is mentioned', async () => {
    const { list, runs, environment } = setUp();
    runs('over').ends(0);
    for (let number = 0; number < MOST_ADOPTED; number += 1) {
      runs(`h${number}`, { metadata: { title: 'x'.repeat(5_000) } });
    }
    assert.deepEqual(await adoptProcesses(list, environment, ''), { adopted: MOST_ADOPTED, left: 1 });
    assert.ok(list.sessions.every(({ state, label }) => state === 'running' && label.length === 1_000));
  });

  it('are those that the backend itself has found again, where the server cannot list any', async () => {
    const base = setUp(new ScriptedBackend(new FakeClock(), { capabilities: BASE_SERVER }));
    base.runs('h1');
    assert.equal(await base.adopt(), 1);
  });

  it('are left alone if they go meanwhile', async () => {
    const { list, backend, runs, adopt } = setUp();
    runs('h1');
    const listed = await backend.list();
    backend.processes.length = 0;
    backend.list = () => Promise.resolve(listed);
    assert.equal(await adopt(), 0);
    assert.deepEqual(list.sessions, []);
  });
});
