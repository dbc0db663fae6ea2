import assert from 'node:assert/strict';

import type { EnvironmentDefinition } from '../../../../src/sessions/list/environment.js';
import {
  RemoteEnvironment,
  type RemoteConnection,
} from '../../../../src/sessions/environments/remoteEnvironment.js';
import { FakeClock } from '../../../support/fakeClock.js';
import { ScriptedBackend } from '../../../support/scriptedBackend.js';
import { turn } from '../../../support/viewerSetup.js';

const DEFINITION: EnvironmentDefinition = {
  id: 'build',
  name: 'Build machine',
  kind: 'websocket',
  url: 'ws://127.0.0.1:1',
};

/** A server whose connections a test lets through or not. */
class Server {
  readonly clock = new FakeClock(1_000);
  readonly attempts: {
    readonly definition: EnvironmentDefinition;
    readonly signal: AbortSignal;
    readonly succeed: () => ScriptedBackend;
    readonly fail: (error: Error) => void;
  }[] = [];

  disconnected = 0;

  connectTo = (definition: EnvironmentDefinition, signal: AbortSignal): Promise<RemoteConnection> =>
    new Promise((resolve, reject) => {
      const succeed = () => {
        const backend = new ScriptedBackend(this.clock);
        resolve({
          backend,
          disconnect: () => {
            this.disconnected += 1;
          },
        });
        return backend;
      };
      this.attempts.push({ definition, signal, succeed, fail: reject });
    });

  get last() {
    return this.attempts.at(-1) ?? assert.fail('nobody has connected');
  }
}

describe('an environment', () => {
  let server: Server;
  let environment: RemoteEnvironment;
  let states: string[];

  beforeEach(() => {
    server = new Server();
    environment = new RemoteEnvironment<EnvironmentDefinition>(DEFINITION, server.connectTo);
    states = [];
    environment.onDidChange(() => states.push(environment.state.kind));
  });

  const connected = async () => {
    const connecting = environment.connect();
    const backend = server.last.succeed();
    return { backend, environment: await connecting };
  };

  it('is connected when it is first needed, and once', async () => {
    assert.equal(environment.state.kind, 'disconnected');
    const first = environment.connect();
    const second = environment.connect();
    assert.equal(environment.state.kind, 'connecting');
    const backend = server.last.succeed();
    assert.equal((await first).backend, backend);
    assert.equal(await second, await first);
    assert.equal(await environment.connect(), await first);
    assert.equal(server.attempts.length, 1);
    assert.deepEqual(states, ['connecting', 'connected']);
    assert.deepEqual([(await first).id, (await first).label], ['build', 'Build machine']);
  });

  it('says why it could not be connected, and can be tried again', async () => {
    const connecting = environment.connect();
    server.last.fail(new Error('refused'));
    await assert.rejects(connecting, /refused/);
    assert.deepEqual(states, ['connecting', 'disconnected']);
    await connected();
    assert.equal(environment.state.kind, 'connected');
  });

  it('is recovering, connected again, and at last lost, as its backend says', async () => {
    const { backend } = await connected();
    backend.loses('cut', 45_000);
    assert.deepEqual(environment.state, {
      kind: 'recovering',
      reason: { kind: 'ended', ended: 'cut' },
      since: 1_000,
      until: 46_000,
    });
    backend.recovers();
    backend.loses('cut', 45_000);
    backend.fails('cut for too long');
    assert.deepEqual(environment.state, {
      kind: 'lost',
      reason: { kind: 'ended', ended: 'cut for too long' },
    });
    assert.deepEqual(states.slice(2), ['recovering', 'connected', 'recovering', 'lost']);
    assert.equal(server.disconnected, 1, 'nothing is held of what is lost');
  });

  it('has a new backend after it was lost, and stays lost while that cannot be had', async () => {
    const before = await connected();
    before.backend.fails('gone');
    const failing = environment.connect();
    server.last.fail(new Error('refused'));
    await assert.rejects(failing, /refused/);
    assert.deepEqual(environment.state, { kind: 'lost', reason: { kind: 'ended', ended: 'gone' } });
    const after = await connected();
    assert.notEqual(after.environment.backend, before.environment.backend);
    before.backend.fails('once more');
    assert.equal(environment.state.kind, 'connected', 'the old one has no say');
  });

  it('stays disconnected if its backend was lost before the first look', async () => {
    const connecting = environment.connect();
    server.last.succeed().fails('at once');
    await assert.rejects(connecting, /at once/);
    assert.deepEqual([environment.state.kind, server.disconnected], ['disconnected', 1]);
  });

  it('lets go at once of a server that does not heed the cancellation, and begins anew if asked', async () => {
    const first = environment.connect();
    const failed = assert.rejects(first, { reason: 'cancelled' });
    const stuck = server.last;
    await environment.disconnect();
    await failed;
    assert.equal(environment.state.kind, 'disconnected');
    const cancel = new AbortController();
    const second = assert.rejects(environment.connect(cancel.signal), { reason: 'cancelled' });
    cancel.abort();
    const { backend } = await connected();
    await second;
    stuck.succeed();
    await turn();
    assert.equal(environment.open?.backend, backend, 'what comes late is let go of');
    assert.equal(server.disconnected, 1);
  });

  it('is not stuck if connecting throws', async () => {
    const broken = new RemoteEnvironment(DEFINITION, () => {
      throw new Error('broken');
    });
    await assert.rejects(broken.connect(), /broken/);
    assert.equal(broken.state.kind, 'disconnected');
  });

  it('shows its real host, and no parameters', () => {
    const targetOf = (url: string) =>
      new RemoteEnvironment({ ...DEFINITION, kind: 'websocket', url }, server.connectTo).snapshot().target;
    assert.equal(targetOf('ws://127.0.0.1:1'), 'ws://127.0.0.1:1');
    assert.equal(targetOf('wss://b\u00fccher.example/exec?sig=hunter2'), 'wss://xn--bcher-kva.example/exec');
  });

  it('goes on connecting as long as anybody waits', async () => {
    const first = new AbortController();
    const second = new AbortController();
    const waits = [environment.connect(first.signal), environment.connect(second.signal)];
    first.abort();
    await assert.rejects(waits[0] ?? assert.fail(), { name: 'EnvironmentError', reason: 'cancelled' });
    assert.ok(!server.last.signal.aborted);
    second.abort();
    await assert.rejects(waits[1] ?? assert.fail(), { name: 'EnvironmentError', reason: 'cancelled' });
    assert.ok(server.last.signal.aborted);
    server.last.fail(new Error('aborted'));
    await turn();
    assert.equal(environment.state.kind, 'disconnected');
  });

  it('does not connect if it was cancelled before', async () => {
    await assert.rejects(environment.connect(AbortSignal.abort()), { reason: 'cancelled' });
    assert.equal(server.attempts.length, 0);
  });

  it('closes a connection that comes after the cancellation', async () => {
    const connecting = environment.connect();
    const disconnecting = environment.disconnect();
    server.last.succeed();
    await assert.rejects(connecting, { reason: 'cancelled' });
    await disconnecting;
    await turn();
    assert.equal(server.disconnected, 1);
    assert.equal(environment.state.kind, 'disconnected');
  });

  it('is disconnected, and not lost, if that was asked for', async () => {
    const { backend } = await connected();
    await environment.disconnect();
    backend.fails('disconnected');
    assert.deepEqual(states, ['connecting', 'connected', 'disconnected']);
    assert.equal(server.disconnected, 1);
    await environment.disconnect();
    assert.equal(server.disconnected, 1);
  });

  it('takes another address with the next connection', async () => {
    const { environment: open } = await connected();
    const moved: EnvironmentDefinition = { ...DEFINITION, name: 'Moved', url: 'ws://127.0.0.1:2' };
    environment.define(moved);
    assert.equal(await environment.connect(), open);
    await environment.disconnect();
    void environment.connect();
    assert.equal(server.last.definition, moved);
    assert.equal(environment.snapshot().label, 'Moved');
  });
});
