import assert from 'node:assert/strict';
import { getEventListeners } from 'node:events';

import {
  BadAnswerError,
  connectClient,
  encodeOutputFrame,
  RequestTimeoutError,
  WireClosedError,
  WireError,
  type ServerMessageHandlers,
} from '../../../src/protocol/index.js';
import { FakeClock } from '../../support/fakeClock.js';
import { FakeTransport, turns } from './fakeTransport.js';

function setUp(handlers: ServerMessageHandlers = {}) {
  const transport = new FakeTransport();
  const logged: string[] = [];
  const clock = new FakeClock();
  const client = connectClient(transport, handlers, (line) => logged.push(line), clock);
  return { transport, client, logged, clock };
}

const READY = { status: 'ready' };

describe('connectClient', () => {
  it('asks in the form of the wire, with positive ids', async () => {
    const { transport, client } = setUp();
    client.notify('initialized', {});
    client.notify('initialized', { outputFrames: true });
    const first = client.request('environment/status', {});
    const second = client.request('process/terminate', { processId: 'p' });
    assert.deepEqual(transport.sent, [
      '{"method":"initialized","params":{}}',
      '{"method":"initialized","params":{"outputFrames":true}}',
      '{"id":1,"method":"environment/status","params":{}}',
      '{"id":2,"method":"process/terminate","params":{"processId":"p"}}',
    ]);
    transport.receive({ id: 2, result: { running: true } });
    transport.receive({ jsonrpc: '2.0', id: 1, result: { ...READY, unknown: 1 }, more: 2 });
    assert.deepEqual(await Promise.all([first, second]), [READY, { running: true }]);
  });

  it('reads an error with its data', async () => {
    const { transport, client } = setUp();
    const refused = client.request('environment/status', {});
    transport.receive({
      error: { code: -32600, message: 'no', data: { failure: { kind: 'noBash' } } },
      id: 1,
    });
    await assert.rejects(refused, new WireError(-32600, 'no', { failure: { kind: 'noBash' } }));
  });

  it('keeps no more of what a server says of an error than people can read', async () => {
    const { transport, client } = setUp();
    const refused = client.request('environment/status', {});
    transport.receive({ error: { code: -32600, message: 'x'.repeat(1_000_000) }, id: 1 });
    await assert.rejects(refused, ({ message }: Error) => /^x+$/.test(message) && message.length < 50_000);
  });

  it('does not fill the log with what makes no sense', () => {
    const { transport, logged } = setUp();
    for (let line = 0; line < 10_000; line += 1) {
      transport.receive({ id: 'nobody', line });
    }
    assert.ok(logged.length <= 100);
    assert.match(logged.at(-1) ?? '', /Further malformed messages of this server are not logged/);
  });

  const senseless = [
    [{ result: {} }, 'status', /"status" in the answer to environment\/status makes no sense/],
    [{ result: 'x' }, '', /The answer to environment\/status makes no sense/],
    [{ result: null }, '', /makes no sense/],
    [{}, '', /makes no sense/],
    [{ result: { status: 5 } }, 'status', /makes no sense/],
    [{ error: 'x' }, 'error', /makes no sense: it has no code and message/],
    [{ error: { code: 'x', message: 'x' } }, 'error', /makes no sense/],
    [{ error: { code: 1 } }, 'error', /makes no sense/],
  ] as const;
  for (const [answer, member, text] of senseless) {
    it(`says that ${JSON.stringify(answer)} makes no sense`, async () => {
      const { transport, client } = setUp();
      const asked = client.request('environment/status', {});
      transport.receive({ id: 1, ...answer });
      await assert.rejects(asked, (error) => {
        assert.ok(error instanceof BadAnswerError, String(error));
        assert.match(error.message, text);
        assert.deepEqual([error.method, error.member], ['environment/status', member]);
        return true;
      });
    });
  }

  it('names the member that makes no sense deep inside', async () => {
    const { transport, client } = setUp();
    const asked = client.request('process/read', { processId: 'p' });
    const chunks = [
      { seq: 1, stream: 'stdout', chunk: '' },
      { seq: -1, stream: 'pty', chunk: '' },
    ];
    transport.receive({ id: 1, result: { chunks, nextSeq: 1, exited: false, closed: false } });
    await assert.rejects(asked, /"chunks\.1\.seq" in the answer to process\/read/);
  });

  it('hands notifications on in the order of arrival, and leaves out what makes no sense', () => {
    const seen: unknown[] = [];
    const { transport, logged } = setUp({
      'process/output': (params) => seen.push(params),
      'process/closed': (params) => seen.push(params),
    });
    const output = { processId: 'p', seq: 1, stream: 'stdout', chunk: 'aGk=' };
    transport.receive({ method: 'process/output', params: { ...output, unknown: 1 } });
    transport.receive({ method: 'process/closed', params: { processId: 'p', seq: 2 } });
    transport.receive({ method: 'process/output', params: { ...output, seq: 3 }, jsonrpc: '2.0' });
    transport.receive({ method: 'process/exited', params: { processId: 'p', seq: 4, exitCode: 0 } });
    transport.receive({ method: 'fs/missingChanged', params: { watchId: 1 } });
    transport.receive({ method: 'constructor', params: {} });
    assert.deepEqual(logged, []);
    transport.receive({ method: 'process/output', params: { ...output, stream: 'x' } });
    transport.receive({ method: 'process/closed' });
    assert.deepEqual(seen, [output, { processId: 'p', seq: 2 }, { ...output, seq: 3 }]);
    assert.match(
      logged.join('\n'),
      /^process\/output makes no sense: "stream".*\nprocess\/closed makes no sense/,
    );
  });

  it('logs answers that it did not ask for, and lines that are not messages', () => {
    const { transport, logged } = setUp();
    for (const message of [
      { error: { code: -32600, message: 'failed to parse' }, id: -1 },
      { error: { code: -32600, message: 'failed to parse' }, id: null },
      { id: 'x', result: 1 },
      {},
      'Welcome to Ubuntu',
      '5',
      '[]',
      'x'.repeat(10_000),
    ]) {
      transport.receive(message);
    }
    assert.equal(logged.length, 8);
    assert.match(logged[0] ?? '', /failed to parse/);
    assert.match(logged[4] ?? '', /Welcome to Ubuntu/);
    assert.ok((logged[7] ?? '').length < 300);
  });

  it('refuses requests of the server (SECURITY.md: An exec-server that you connect to)', () => {
    const { transport } = setUp();
    transport.receive({ id: 'r"', method: 'network/policyRequest', params: {} });
    assert.deepEqual(transport.messages, [
      { error: { code: -32601, message: 'this client takes no requests' }, id: 'r"' },
    ]);
  });

  it('drops an answer with a wrong id', () => {
    const { transport, logged } = setUp();
    const deep = '['.repeat(100_000) + ']'.repeat(100_000);
    for (const id of ['9223372036854775807', 'null', '1.5', '{}', deep]) {
      transport.receive(`{"id":${id},"method":"network/policyRequest"}`);
    }
    assert.deepEqual(transport.sent, []);
    assert.equal(logged.length, 5);
    assert.match(logged[0] ?? '', /^The server asks: \{"id":9223372036854775807,/);
  });

  it('gives no more answers to a server that takes none', () => {
    const { transport, logged } = setUp();
    transport.bufferedBytes = 2_000_000;
    transport.receive({ id: 1, method: 'network/policyRequest' });
    assert.deepEqual(transport.sent, []);
    assert.equal(logged.length, 1);
  });

  it('gives up waiting when the time is over, says nothing, and ignores the late answer', async () => {
    const { transport, client, clock, logged } = setUp();
    const slow = client.request('environment/status', {}, { timeoutMs: 100 });
    const patient = client.request('environment/status', {});
    clock.advance(99);
    await turns();
    clock.advance(1);
    await assert.rejects(slow, (error) => {
      assert.ok(error instanceof RequestTimeoutError);
      assert.deepEqual([error.method, error.timeoutMs], ['environment/status', 100]);
      return true;
    });
    assert.equal(transport.sent.length, 2);
    transport.receive({ id: 1, result: READY });
    transport.receive({ id: 2, result: READY });
    assert.deepEqual(await patient, READY);
    assert.deepEqual(logged, []);
    assert.equal(clock.pendingTimers, 0);
  });

  it('gives up waiting when it is told to, with that reason', async () => {
    const { transport, client } = setUp();
    const controller = new AbortController();
    const asked = client.request('environment/status', {}, { signal: controller.signal });
    const reason = new Error('enough');
    controller.abort(reason);
    await assert.rejects(asked, reason);
    await assert.rejects(client.request('environment/status', {}, { signal: controller.signal }), reason);
    assert.equal(transport.sent.length, 1);
    transport.receive({ id: 1, result: READY });
    await turns();
  });

  it('waits for any number of answers with one signal', async () => {
    const { client } = setUp();
    const warnings: Error[] = [];
    const warned = (warning: Error) => warnings.push(warning);
    process.on('warning', warned);
    const controller = new AbortController();
    const { signal } = controller;
    const asked = Array.from({ length: 50 }, () => client.request('environment/status', {}, { signal }));
    controller.abort(new Error('enough'));
    const outcomes = await Promise.allSettled(asked);
    await turns();
    process.off('warning', warned);
    assert.ok(outcomes.every(({ status }) => status === 'rejected'));
    assert.deepEqual(warnings, []);
  });

  it('leaves no listener at the signal, and no timer, once it has its answer', async () => {
    const { transport, client, clock } = setUp();
    const controller = new AbortController();
    const asked = client.request('environment/status', {}, { signal: controller.signal, timeoutMs: 50 });
    transport.receive({ id: 1, result: READY });
    assert.deepEqual(await asked, READY);
    assert.equal(clock.pendingTimers, 0);
    assert.deepEqual(getEventListeners(controller.signal, 'abort'), []);
    controller.abort(new Error('too late'));
    await turns();
  });

  it('rejects all that waits when the connection ends, before it tells the end', async () => {
    const { transport, client } = setUp();
    const events: string[] = [];
    client.onEnd(({ reason }) => events.push(`end: ${reason}`));
    const waiting = ['a', 'b'].map(async (name) => {
      await client.request('environment/status', {}).catch((error: unknown) => {
        assert.ok(error instanceof WireClosedError, String(error));
        events.push(`${name}: ${error.reason}`);
      });
    });
    transport.destroy('the connection was reset');
    await Promise.all(waiting);
    await turns();
    assert.deepEqual(events, [
      'a: the connection was reset',
      'b: the connection was reset',
      'end: the connection was reset',
    ]);
    await assert.rejects(client.request('environment/status', {}), {
      name: 'WireClosedError',
      message: 'The connection was closed: the connection was reset.',
    });
    client.notify('initialized', {});
    client.close();
    client.destroy('again');
    await turns();
    assert.equal(events.length, 3);
  });

  it('takes the answers that came just before the end', async () => {
    const { transport, client } = setUp();
    const asked = client.request('environment/status', {});
    transport.receive({ id: 1, result: READY });
    transport.destroy('cut');
    assert.deepEqual(await asked, READY);
  });

  it('takes output as frames where bytes can be carried, and logs other bytes', () => {
    const output = { processId: 'p', seq: 1, stream: 'pty', bytes: Buffer.from('hi') } as const;
    const frame = encodeOutputFrame(output);
    assert.ok(frame !== undefined);
    const taken: unknown[] = [];
    const { transport, client, logged } = setUp({ outputFrame: (event) => taken.push(event) });
    assert.equal(client.acceptOutputFrames(), false);
    transport.receiveBytes(frame);
    assert.deepEqual(taken, []);
    transport.carriesBytes = true;
    assert.equal(client.acceptOutputFrames(), true);
    transport.receiveBytes(frame);
    transport.receiveBytes(Buffer.of(9, 9));
    assert.deepEqual(taken, [output]);
    assert.deepEqual(logged, ['Not an output frame: 0909']);
  });

  it('takes the error that came just before the end', async () => {
    const { transport, client } = setUp();
    const asked = client.request('environment/status', {});
    transport.receive({ id: 1, error: { code: -32600, message: 'unknown session id x' } });
    transport.destroy('cut');
    await assert.rejects(asked, new WireError(-32600, 'unknown session id x'));
  });

  it('tells the end of a transport that had ended before', async () => {
    const transport = new FakeTransport();
    transport.destroy('gone');
    const client = connectClient(transport, {});
    const ends: string[] = [];
    client.onEnd(({ reason }) => ends.push(reason));
    await assert.rejects(client.request('environment/status', {}), WireClosedError);
    await turns();
    assert.deepEqual(ends, ['gone']);
  });
});
