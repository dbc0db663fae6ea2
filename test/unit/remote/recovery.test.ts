import assert from 'node:assert/strict';

import { encodeBase64 } from '../../../src/protocol/index.js';
import { textOf, utf8 } from '../../support/bytes.js';
import { wireText } from '../../support/failures.js';
import { settle } from '../../support/settle.js';
import type { FakeServer } from './fakeServer.js';
import { advance, setup } from './recoverySetup.js';
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
    assert.equal(server.attemptsAgain, server.attempts.length - 1);
    assert.deepEqual(states, [
      {
        kind: 'recovering',
        reason: { kind: 'ended', ended: 'the cable was cut' },
        since: 1_000,
        until: 46_000,
      },
    ]);
  });

  it('is tried again soon after an attempt that took long', async () => {
    const { clock, server } = await setup();
    server.reach = 'hang';
    server.cut();
    for (let passed = 0; passed < 41_000; passed += 100) {
      await advance(clock, 100);
    }
    assert.deepEqual(
      server.attempts.slice(1).map((at) => at - 1_000),
      [0, 10_100, 20_200, 30_300, 40_400],
    );
  });

  it('says again what the server is to keep', async () => {
    const { clock, server, backend } = await setup(
      {},
      { environmentInfo: { platformOs: 'linux' }, capabilities: { keep: true } },
    );
    await backend.keepWithoutClient({ personSeconds: 7, agentSeconds: 1 });
    server.cut();
    await advance(clock, 100);
    const told = server.asked.filter(({ method }) => method === 'host/keep');
    assert.deepEqual(
      told.map(({ connection, params }) => [connection, params['personSeconds']]),
      [
        [1, 7],
        [2, 7],
      ],
    );
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
      assert.equal(wireText(failure), `exec-server transport disconnected: ${words}`);
      // The only timer left is the one after which the lost process is forgotten.
      assert.equal(clock.pendingTimers, 1);
    }
  });

  it('is lost as sessionServerGone only if a session server does not listen in the end', async () => {
    const lossOf = async (ofSessionServer: boolean, last: FakeServer['reach']) => {
      const { clock, server, states } = await setup({ recovery: { limitMs: 1_000, ofSessionServer } });
      server.reach = 'absent';
      server.cut();
      await advance(clock, 600);
      server.reach = last;
      await advance(clock, 300);
      await advance(clock, 100);
      const state = states.at(-1);
      return state?.kind === 'lost' ? state.reason.kind : undefined;
    };
    assert.equal(await lossOf(true, 'absent'), 'sessionServerGone');
    assert.equal(await lossOf(true, 'refuse'), 'timedOut');
    assert.equal(await lossOf(false, 'absent'), 'timedOut');
  });

  it('is tried again while the server believes that the earlier one is alive, whatever words it uses', async () => {
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

  it('is tried again when the server refuses for another reason, until the time is over', async () => {
    const { clock, server, states } = await setup();
    server.resume = () => ({ error: { code: -32603, message: 'no memory' } });
    server.cut('');
    await advance(clock, 1_000);
    server.resume = () => ({ result: { sessionId: 'session-1' } });
    await advance(clock, 1_000);
    server.resume = () => ({ error: { code: -32603, message: 'no memory' } });
    server.cut('');
    for (let second = 0; second < 45; second++) {
      await advance(clock, 1_000);
    }
    const reason = { kind: 'timedOut', ended: '', seconds: 45, lastAttempt: 'no memory' };
    assert.deepEqual(states.at(-1), { kind: 'lost', reason });
    assert.deepEqual(
      states.map(({ kind }) => kind),
      ['recovering', 'connected', 'recovering', 'lost'],
    );
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

  it('answers the server that asks whether it is still there, if that one announces the question', async () => {
    for (const pings of [true, false]) {
      const greeting = {
        environmentInfo: { platformOs: 'linux' },
        ...(pings && { capabilities: { pings } }),
      };
      const { server } = await setup({}, greeting);
      const wishes = server.asked.find(({ method }) => method === 'initialized')?.params;
      assert.deepEqual(wishes, pings ? { pings } : {});
      server.notify('server/ping', {});
      assert.deepEqual(server.methods(1), ['client/pong']);
    }
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
    assert.equal(wireText((await first.read()).failure), 'unknown process id first');
    assert.equal(second.info().state, 'running');
  });

  it('reads again what a server refuses for now, and loses no process for it', async () => {
    const { clock, server, start } = await setup();
    const process = await start();
    const usual = server.answer;
    let refusals = 3;
    server.answer = (method, params) => {
      if (method !== 'process/read') {
        return usual(method, params);
      }
      refusals -= 1;
      const chunks = [{ seq: 1, stream: 'stdout', chunk: encodeBase64(utf8('missed')) }];
      return refusals >= 0
        ? { error: { code: -32603, message: 'not now' } }
        : {
            result: {
              chunks: params['afterSeq'] === 0 ? chunks : [],
              nextSeq: 2,
              exited: false,
              closed: false,
            },
          };
    };
    server.cut();
    for (let passed = 0; passed < 3_000; passed += 250) {
      await advance(clock, 250);
    }
    assert.equal(process.info().state, 'running');
    assert.equal(textOf((await process.read()).chunks), 'missed');
  });

  it('is made anew when the server has not seen its handshake, and everything is repeated', async () => {
    const { clock, server, states, start } = await setup();
    const process = await start();
    const usual = server.answer;
    const message = 'client must send initialized before using exec methods';
    server.answer = (method, params) =>
      server.attempts.length === 2 ? { error: { code: -32600, message } } : usual(method, params);
    server.cut();
    const written = process.write(utf8('x'));
    await settle();
    const other = start('other');
    for (let passed = 0; passed < 3_000; passed += 250) {
      await advance(clock, 250);
    }
    assert.equal(await written, 'accepted');
    assert.deepEqual([process.info().state, (await other).info().state], ['running', 'running']);
    assert.deepEqual(
      states.map(({ kind }) => kind),
      ['recovering', 'connected', 'recovering', 'connected'],
    );
  });

  it('carries nothing before the handshake is done, whatever waits for it', async () => {
    const capabilities = { flow: true, resize: true, closeStdin: true, stop: true };
    const { clock, server, backend } = await setup(
      {},
      { environmentInfo: { platformOs: 'linux' }, capabilities },
    );
    const params = { processId: 'p', argv: ['x'], cwd: '/', env: {}, tty: true };
    const process = await backend.start(params);
    const processId = server.asked.find(({ method }) => method === 'process/start')?.params['processId'];
    const chunk = encodeBase64(new Uint8Array(300_000));
    const tell = (seq: number) => server.notify('process/output', { processId, seq, stream: 'pty', chunk });
    tell(1);
    const usual = server.answer;
    server.answer = (method, asked) => (method === 'process/read' ? usual(method, asked) : undefined);
    void process.write(utf8('x'));
    void process.resize({ columns: 1, rows: 1 });
    void process.stop();
    server.resume = () => {
      // The server tells at once what happens in the session, even before its answer.
      tell(5);
      return { result: { sessionId: 'session-1', capabilities } };
    };
    for (let cuts = 0; cuts < 4; cuts++) {
      await settle();
      server.cut();
      void process.write(utf8('y'));
      for (let passed = 0; passed < 2_000; passed += 100) {
        await advance(clock, 100);
      }
    }
    for (let connection = 1; connection <= 5; connection++) {
      const methods = server.asked
        .filter((asked) => asked.connection === connection)
        .map(({ method }) => method);
      assert.deepEqual(methods.slice(0, 2), ['initialize', 'initialized']);
      assert.ok(methods.length > 4 || connection === 1, methods.join());
    }
    backend.disconnect();
  });
});
