import assert from 'node:assert/strict';

import { type ConnectionState, type ExecProcess, isExecError } from '../../../src/core/index.js';
import { RemoteBackend, type RemoteBackendOptions } from '../../../src/remote/index.js';
import { encodeBase64 } from '../../../src/protocol/index.js';
import { assertRejects } from '../../support/assertRejects.js';
import { textOf, utf8 } from '../../support/bytes.js';
import { FakeClock } from '../../support/fakeClock.js';
import { FakeServer } from './fakeServer.js';

async function setup(options: Partial<RemoteBackendOptions> = {}, greeting?: FakeServer['greeting']) {
  const clock = new FakeClock(1_000);
  const server = new FakeServer(() => clock.now());
  server.greeting = greeting ?? server.greeting;
  server.answer = (method, params) => {
    switch (method) {
      case 'process/start':
        return { result: { processId: params['processId'] } };
      case 'process/read':
        return { result: { chunks: [], nextSeq: 1, exited: false, closed: false } };
      case 'process/write':
        return { result: { status: 'accepted' } };
      case 'process/terminate':
        return { result: { running: true } };
      default:
        return { result: {} };
    }
  };
  const backend = await RemoteBackend.connect({
    connector: server.connector,
    clientName: 'unit',
    clock,
    ...options,
  });
  const states: ConnectionState[] = [];
  backend.onDidChangeConnection((state) => states.push(state));
  const start = (processId = 'p'): Promise<ExecProcess> =>
    backend.start({ processId, argv: ['x'], cwd: '/', env: {}, tty: false, pipeStdin: true });
  return { clock, server, backend, states, start };
}

/** Lets everything happen that waits for no time. */
async function settle(): Promise<void> {
  for (let turn = 0; turn < 10; turn++) {
    await new Promise((resolve) => setImmediate(resolve));
  }
}

async function advance(clock: FakeClock, ms: number): Promise<void> {
  await settle();
  clock.advance(ms);
  await settle();
}

describe('A connection that ends', () => {
  it('is tried again at once, and then with longer and longer waits', async () => {
    const { clock, server, states } = await setup();
    server.reach = 'refuse';
    server.cut();
    for (let passed = 0; passed < 5_000; passed += 50) {
      await advance(clock, 50);
    }
    const waits = server.attempts.slice(1).map((at, index) => at - (server.attempts[index] ?? 0));
    assert.deepEqual(waits.slice(0, 8), [0, 100, 200, 400, 800, 1_000, 1_000, 1_000]);
    assert.deepEqual(states, [
      {
        kind: 'recovering',
        reason: { kind: 'ended', ended: 'the cable was cut' },
        since: 1_000,
        until: 46_000,
      },
    ]);
  });

  it('is lost when the time is over, whatever the last attempt waits for', async () => {
    for (const [reach, last] of [
      ['refuse', 'refused'],
      ['hang', 'Cannot connect to the fake: no answer within 10 seconds. Check the address and the network.'],
      [
        'silent',
        'Cannot connect to the fake: no answer within 10 seconds. Check the address and the network.',
      ],
    ] as const) {
      const { clock, server, states, start } = await setup();
      const process = await start();
      server.reach = reach;
      server.cut();
      for (let second = 0; second < 44; second++) {
        await advance(clock, 1_000);
      }
      await advance(clock, 999);
      assert.equal(process.info().state, 'running');
      await advance(clock, 1);
      const ended = 'the cable was cut';
      const reason = { kind: 'timedOut', ended, seconds: 45, lastAttempt: last };
      assert.deepEqual(states.at(-1), { kind: 'lost', reason });
      assert.deepEqual(process.info().failure, { kind: 'disconnected', reason });
      const { failure } = await process.read();
      const words = `${ended}; failed to resume exec-server session: recovery timed out after 45s (${last})`;
      assert.equal(failure, `exec-server transport disconnected: ${words}`);
      // The only timer left is the one after which the lost process is forgotten.
      assert.equal(clock.pendingTimers, 1);
    }
  });

  it('is tried again while the server believes in the one before, by whatever words', async () => {
    const { clock, server, states } = await setup();
    const busy = { code: -32010, message: 'session session-1 is already attached to another connection' };
    server.resume = () => ({ error: busy });
    server.cut();
    await advance(clock, 0);
    server.resume = () => ({ error: { ...busy, code: -32600 } });
    await advance(clock, 100);
    server.resume = () => ({ result: { sessionId: 'session-1' } });
    await advance(clock, 200);
    assert.deepEqual(
      states.map(({ kind }) => kind),
      ['recovering', 'connected'],
    );
  });

  it('is lost at once when the server refuses, or takes up another session', async () => {
    for (const [answer, kind, text] of [
      [
        { error: { code: -32600, message: 'unknown session id session-1' } },
        'sessionUnknown',
        'exec-server rejected request (-32600): unknown session id session-1',
      ],
      [
        { result: { sessionId: 'other' } },
        'refused',
        'exec-server protocol error: exec-server initialized an unexpected session other',
      ],
    ] as const) {
      const { clock, server, states } = await setup();
      server.resume = () => answer;
      server.cut('');
      await advance(clock, 0);
      assert.deepEqual(states.at(-1), { kind: 'lost', reason: { kind, ended: '', answer: text } });
    }
  });

  it('is lost at once when the server has no sessions', async () => {
    const { clock, server, states } = await setup({}, { sessionId: undefined });
    server.cut('gone');
    await advance(clock, 0);
    assert.deepEqual(states, [{ kind: 'lost', reason: { kind: 'ended', ended: 'gone' } }]);
  });

  it('is read up to where the next one tells by itself', async () => {
    const { clock, server, start } = await setup();
    const process = await start();
    const processId = server.asked.find(({ method }) => method === 'process/start')?.params['processId'];
    const chunk = (text: string) => encodeBase64(utf8(text));
    server.notify('process/output', { processId, seq: 1, stream: 'stdout', chunk: chunk('one ') });
    server.answer = (method, asked) => {
      assert.deepEqual([method, asked['afterSeq'], asked['waitMs']], ['process/read', 1, 0]);
      // The notification overtakes the answer.
      server.notify('process/output', { processId, seq: 3, stream: 'stdout', chunk: chunk('three ') });
      const chunks = [
        { seq: 2, stream: 'stdout', chunk: chunk('two ') },
        { seq: 3, stream: 'stdout', chunk: chunk('three ') },
      ];
      return { result: { chunks, nextSeq: 4, exited: false, closed: false } };
    };
    server.cut();
    await advance(clock, 0);
    server.notify('process/exited', { processId, seq: 4, exitCode: 0 });
    server.notify('process/closed', { processId, seq: 5 });
    const { chunks } = await process.read();
    assert.equal(textOf(chunks), 'one two three ');
    assert.equal(process.info().state, 'closed');
  });

  it('fails a process that the server has forgotten, and no other', async () => {
    const { clock, server, start } = await setup();
    const [first, second] = [await start('first'), await start('second')];
    const usual = server.answer;
    server.answer = (method, params) =>
      method === 'process/read' && String(params['processId']).endsWith('first')
        ? { error: { code: -32600, message: `unknown process id ${String(params['processId'])}` } }
        : usual(method, params);
    server.cut();
    await advance(clock, 0);
    assert.deepEqual(first.info().failure, { kind: 'unknownProcess', processId: 'first' });
    assert.equal((await first.read()).failure, 'unknown process id first');
    assert.equal(second.info().state, 'running');
  });

  it('does not start again what had no answer, and ends what may have started', async () => {
    const { clock, server, start } = await setup();
    server.answer = () => undefined;
    const starting = start();
    await settle();
    server.answer = () => ({ result: { running: true } });
    const rejected = assertRejects(starting, -32603, 'exec-server transport disconnected: the cable was cut');
    server.cut();
    await advance(clock, 0);
    await rejected;
    assert.deepEqual(server.methods(2), ['process/terminate']);
  });

  it('is known to have been closed here by calls that wait', async () => {
    const { server, backend, start } = await setup();
    const process = await start();
    const usual = server.answer;
    server.answer = (method, params) => (method === 'process/signal' ? undefined : usual(method, params));
    const signalled = process.signal('SIGINT').then(
      () => undefined,
      (error: unknown) => error,
    );
    await settle();
    backend.disconnect();
    const error = await signalled;
    assert.ok(isExecError(error) && error.failure.kind === 'disconnected');
    assert.deepEqual(error.failure.reason, { kind: 'closedHere' });
  });

  it('does not repeat a signal, whose doing is not known', async () => {
    const { clock, server, start } = await setup();
    const process = await start();
    const usual = server.answer;
    server.answer = (method, params) => (method === 'process/signal' ? undefined : usual(method, params));
    const rejected = assert.rejects(process.signal('SIGINT'), /connection to the exec-server was lost/);
    await settle();
    server.cut();
    await advance(clock, 0);
    await rejected;
    assert.ok(!server.methods(2).includes('process/signal'));
  });

  it('tells the server only the newest size', async () => {
    const { clock, server, backend } = await setup(
      {},
      {
        environmentInfo: { platformOs: 'linux' },
        capabilities: { resize: true },
      },
    );
    const process = await backend.start({ processId: 'p', argv: ['x'], cwd: '/', env: {}, tty: true });
    server.reach = 'refuse';
    server.cut();
    await advance(clock, 0);
    const sizes = [1, 2, 3].map((columns) => process.resize({ columns, rows: 1 }));
    server.reach = 'ok';
    await advance(clock, 100);
    await Promise.all(sizes);
    const told = server.asked.filter(({ method }) => method === 'process/resize');
    assert.deepEqual(
      told.map(({ params }) => params['size']),
      [{ columns: 3, rows: 1 }],
    );
  });

  it('keeps no call waiting for longer than its time', async () => {
    const { clock, server, start } = await setup({ recovery: { limitMs: 1_000_000 } });
    const process = await start();
    server.reach = 'refuse';
    server.cut();
    await settle();
    const rejected = assert.rejects(process.terminate(), /did not answer within 60 seconds/);
    await advance(clock, 60_000);
    await rejected;
  });
});
