import assert from 'node:assert/strict';

import type { BackendChange } from '../../../src/core/index.js';
import { RemoteBackend } from '../../../src/remote/index.js';
import { FakeClock } from '../../support/fakeClock.js';
import { FakeServer } from './fakeServer.js';
import { settle } from '../../support/settle.js';
import { NOTHING_READ, wireDescription } from '../../support/wireDescription.js';

async function setUp() {
  const clock = new FakeClock(1_000);
  const server = new FakeServer(() => clock.now());
  const capabilities = {
    list: true,
    attach: true,
    ownership: true,
    metadata: true,
    changes: true,
    views: true,
  };
  server.greeting = { environmentInfo: { platformOs: 'linux' }, capabilities, sessionId: 's' };
  const listed: object[] = [];
  server.answer = (method, params) => {
    switch (method) {
      case 'process/list':
        return { result: { processes: listed } };
      case 'process/start':
        return { result: { processId: params['processId'] } };
      case 'process/attach':
        return {
          result: { process: wireDescription(String(params['handle']), { processId: params['processId'] }) },
        };
      case 'process/read':
        return { result: NOTHING_READ };
      default:
        return { result: {} };
    }
  };
  const backend = await RemoteBackend.connect({ connector: server.connector, clientName: 'unit', clock });
  const changes: BackendChange[] = [];
  backend.onDidChange((change) => changes.push(change));
  const start = (processId: string, owned: boolean) =>
    backend.start({ processId, argv: ['x'], cwd: '/', env: {}, tty: true, owned, metadata: {} });
  const tell = (type: string, process: { readonly handle: string }) =>
    server.notify('process/changed', { type, handle: process.handle, process });
  const isGone = (handle: string, some: object = {}) =>
    server.notify('process/changed', { type: 'removed', handle, ...some });
  const reconnect = async () => {
    server.cut();
    await settle();
    clock.advance(0);
    await settle();
  };
  const told = () => changes.splice(0).map(({ type, processId }) => `${type} ${processId}`);
  return { server, backend, listed, start, tell, isGone, reconnect, told };
}

describe('The news of a server about its processes', () => {
  it('is the change of another client’s, by its handle, each once', async () => {
    const { backend, tell, isGone, told } = await setUp();
    tell('added', wireDescription('h'));
    tell('added', wireDescription('h'));
    tell('changed', wireDescription('seen only now'));
    assert.deepEqual(told(), ['added h', 'changed h', 'added seen only now']);
    const held = await backend.attach('h');
    tell('changed', wireDescription('h', { processId: '1-h', metadata: { a: 1 } }));
    assert.deepEqual(held.info().metadata, { a: 1 });
    // The client was told of it earlier.
    assert.deepEqual(told(), ['changed h', 'changed h', 'changed h']);
    isGone('h');
    isGone('h');
    isGone('never told of');
    assert.deepEqual(told(), ['removed h']);
    assert.equal(held.info().failure?.kind, 'processRemoved');
  });

  it('refuses to attach to a process that goes during the call', async () => {
    const { backend, server, tell, isGone } = await setUp();
    const { answer } = server;
    server.answer = (method, params) => {
      if (method === 'process/attach') {
        isGone(String(params['handle']));
      }
      return answer(method, params);
    };
    tell('added', wireDescription('h'));
    await assert.rejects(backend.attach('h'), /no process with the id "h"/);
  });

  it('is news of this client’s own, even before the answer to the start', async () => {
    const { start, tell, told, isGone, server, backend } = await setUp();
    const { answer } = server;
    server.answer = (method, params) => {
      if (method === 'process/start') {
        const early = { processId: params['processId'], metadata: { by: 'another' }, view: 'other' };
        tell('added', wireDescription('h', early));
      }
      return answer(method, params);
    };
    const process = await start('p', true);
    assert.deepEqual([process.info().metadata, process.info().viewedElsewhere], [{ by: 'another' }, true]);
    assert.equal(told()[0], 'added p');
    const size = { columns: 99, rows: 9 };
    tell('changed', wireDescription('h', { processId: '1-p', tty: true, size, view: 'primary' }));
    assert.deepEqual([process.info().size, process.info().viewedElsewhere], [size, undefined]);
    // The same once more is no news.
    told();
    tell('changed', wireDescription('h', { processId: '1-p', tty: true, size, view: 'primary' }));
    assert.deepEqual(told(), []);
    isGone('h');
    assert.deepEqual(told().at(-1), 'removed p');
    assert.deepEqual(await backend.list(), []);
  });

  it('is caught up with after a cut: what came, what changed, and what has gone', async () => {
    const { listed, start, tell, told, reconnect } = await setUp();
    tell('added', wireDescription('stays'));
    tell('added', wireDescription('goes'));
    const [kept, gone, expired] = [
      await start('kept', true),
      await start('gone', true),
      await start('old', false),
    ];
    const own = (handle: string, name: string) => wireDescription(handle, { processId: name });
    tell('added', own('h1', '1-kept'));
    tell('added', own('h2', '2-gone'));
    tell('added', own('h3', '3-old'));
    told();
    listed.push(
      wireDescription('stays'),
      wireDescription('comes'),
      wireDescription('h1', { processId: '1-kept', metadata: { new: 1 } }),
    );
    await reconnect();
    assert.deepEqual(told().sort(), [
      'added comes',
      'changed kept',
      'changed stays',
      'removed goes',
      'removed gone',
    ]);
    assert.deepEqual(kept.info().metadata, { new: 1 });
    assert.equal(gone.info().failure?.kind, 'processRemoved');
    // No client has removed this one: a client that holds it keeps it.
    assert.equal(expired.info().failure, undefined);
  });

  it('is told again after a cut what this client shows', async () => {
    const { server, start, reconnect } = await setUp();
    const [shown, hidden] = [await start('shown', true), await start('hidden', true)];
    await shown.view('focused');
    await hidden.view('focused');
    await hidden.view('none');
    server.asked.splice(0);
    await reconnect();
    const views = server.asked.filter(({ method }) => method === 'process/view').map(({ params }) => params);
    assert.deepEqual(views, [{ processId: '1-shown', state: 'focused' }]);
  });

  it('is the end of another client’s process at once, though its output is still read, which can be removed', async () => {
    const { server, backend } = await setUp();
    const { answer } = server;
    const end = { state: 'closed', exitCode: 3, exitedAt: 20, closedAt: 30 };
    server.answer = (method, params) => {
      switch (method) {
        case 'process/attach':
          return { result: { process: wireDescription('h', { ...end, processId: params['processId'] }) } };
        case 'process/read':
          return undefined;
        default:
          return answer(method, params);
      }
    };
    const { state, exit, exitedAt, closedAt } = (await backend.attach('h')).info();
    assert.deepEqual([state, exit, exitedAt, closedAt], ['closed', { exitCode: 3 }, 20, 30]);
    await backend.remove('h');
    assert.equal(server.asked.at(-1)?.method, 'process/remove');
  });
});
