import assert from 'node:assert/strict';

import { ExecError } from '../../../src/core/index.js';
import {
  Answer,
  decodeOutputFrame,
  MAX_UNANSWERED_REQUESTS,
  MAX_UNSENT_CHARACTERS,
  MAX_WAITING_MESSAGES,
  serveConnection,
  WireError,
  type RequestHandler,
} from '../../../src/protocol/index.js';
import { FakeTransport, turns } from './fakeTransport.js';

/** A server whose answers the test decides, with the requests that it got. */
function setUp(answer: (method: string, params: unknown) => unknown = () => ({})) {
  const transport = new FakeTransport();
  const asked: string[] = [];
  const logged: string[] = [];
  const handler: RequestHandler = {
    request: (method, params) => {
      asked.push(method);
      return answer(method, params);
    },
    notification: (name) => {
      asked.push(`${name}!`);
      return name === 'initialized';
    },
  };
  const wire = serveConnection(
    transport,
    () => handler,
    (line) => logged.push(line),
  );
  return { transport, wire, asked, logged };
}

describe('serveConnection', () => {
  it('answers in the form of the wire', async () => {
    const { transport } = setUp((_, params) => params);
    transport.receive({ jsonrpc: '2.0', id: 1, method: 'a', params: { x: [1, null] }, unknown: 1 });
    transport.receive({ id: 2, method: 'b' });
    await turns();
    assert.deepEqual(transport.sent, ['{"id":1,"result":{"x":[1,null]}}', '{"id":2,"result":null}']);
  });

  it('gives ids back as they were written, and takes the same one twice', async () => {
    const { transport } = setUp();
    const ids = [
      '7',
      '7',
      '"7"',
      '9223372036854775807',
      '-9223372036854775808',
      '""',
      '"\\u0061\\""',
      '-0',
      '0',
    ];
    ids.forEach((id) => transport.receive(`{"id":${id},"method":"m"}`));
    await turns();
    assert.deepEqual(
      transport.sent,
      ids.map((id) => `{"id":${id},"result":{}}`),
    );
  });

  it('hands everything over in the order of arrival, and does not wait for answers', async () => {
    const answers: (() => void)[] = [];
    const { transport, asked } = setUp(() => new Promise((resolve) => answers.push(() => resolve(1))));
    transport.receive({ id: 1, method: 'a' });
    transport.receive({ method: 'initialized' });
    transport.receive({ id: 2, method: 'b' });
    transport.receive({ method: 'initialized' });
    transport.receive({ id: 3, method: 'c' });
    await turns();
    assert.deepEqual(asked, ['a', 'initialized!', 'b', 'initialized!', 'c']);
    answers.reverse().forEach((resolve) => resolve());
    await turns();
    assert.deepEqual(
      transport.messages.map((message) => Reflect.get(Object(message), 'id') as unknown),
      [3, 2, 1],
    );
  });

  it('takes parameters of any form to the handler', async () => {
    const seen: unknown[] = [];
    const { transport } = setUp((_, params) => seen.push(params));
    const forms = [['a', 1], 'x', 5, null, true, {}, []];
    forms.forEach((params, id) => transport.receive({ id, method: 'm', params }));
    await turns();
    assert.deepEqual(seen, forms);
  });

  it('answers errors with their code, text and what failed', async () => {
    const errors = [
      new WireError(-32010, 'busy', { a: 1 }),
      new WireError(-32602, 'bad'),
      new ExecError({ kind: 'unknownProcess', processId: 'p' }),
      new TypeError('oops'),
      'thrown',
    ];
    const { transport, logged } = setUp((method) => {
      const fail = () => {
        // eslint-disable-next-line @typescript-eslint/only-throw-error -- handlers can throw anything
        throw errors[Number(method)];
      };
      return method === '0' ? fail() : Promise.resolve().then(fail);
    });
    errors.forEach((_, index) => transport.receive({ id: index, method: String(index) }));
    await turns();
    assert.deepEqual(
      new Set(transport.messages),
      new Set([
        { error: { code: -32010, message: 'busy', data: { a: 1 } }, id: 0 },
        { error: { code: -32602, message: 'bad' }, id: 1 },
        {
          error: {
            code: -32600,
            message: 'unknown process id p',
            data: { failure: { kind: 'unknownProcess', processId: 'p' } },
          },
          id: 2,
        },
        { error: { code: -32603, message: 'oops' }, id: 3 },
        { error: { code: -32603, message: 'thrown' }, id: 4 },
      ]),
    );
    assert.deepEqual(
      logged.map((line) => line.split('\n')[0]),
      ['3 failed: TypeError: oops', '4 failed: Error: thrown'],
    );
  });

  it('goes on to what comes after an answer once that is sent', async () => {
    const closed = { processId: 'p', seq: 1 };
    const { transport, wire, logged } = setUp((method) => {
      const afterwards = () => {
        wire.notify('process/closed', closed);
        if (method === 'faulty') {
          throw new Error('oops');
        }
      };
      return Promise.resolve(new Answer({ result: method, afterwards }));
    });
    transport.receive({ id: 1, method: 'm' });
    transport.receive({ id: 2, method: 'faulty' });
    await turns();
    const notification = { method: 'process/closed', params: closed };
    const answers = [
      { id: 1, result: 'm' },
      { id: 2, result: 'faulty' },
    ];
    assert.deepEqual(transport.messages, [answers[0], notification, answers[1], notification]);
    assert.match(logged.join(), /^The work after an answer failed: Error: oops/);
  });

  it('answers with an error what cannot be written', async () => {
    const circular: Record<string, unknown> = {};
    circular['self'] = circular;
    const { transport, logged } = setUp((method) => (method === 'circular' ? circular : {}));
    transport.receive({ id: 'x', method: 'circular' });
    transport.receive({ id: 'y', method: 'm' });
    await turns();
    assert.match(
      transport.sent[0] ?? '',
      /^\{"error":\{"code":-32603,"message":"Converting circular structure to JSON.*"id":"x"\}$/,
    );
    assert.match(logged[0] ?? '', /^Writing an answer failed: TypeError/);
    assert.equal(transport.sent[1], '{"id":"y","result":{}}');
  });

  it('says what is wrong with a message, in its turn, and goes on', async () => {
    const { transport, asked } = setUp();
    transport.receive({ id: 1, method: 'a' });
    transport.receive('{"id":2,"method":');
    transport.receive({ id: 3, method: 'b' });
    await turns();
    assert.deepEqual(asked, ['a', 'b']);
    assert.deepEqual(transport.messages, [
      { id: 1, result: {} },
      {
        error: {
          code: -32600,
          message:
            'failed to parse websocket JSON-RPC message from exec-server websocket 127.0.0.1:1: ' +
            'it is not JSON: Unexpected end of JSON input',
        },
        id: -1,
      },
      { id: 3, result: {} },
    ]);
  });

  it('calls stdio by its name in that message', async () => {
    const transport = new FakeTransport('stdio');
    serveConnection(transport, () => ({ request: () => ({}), notification: () => true }));
    transport.receive('[]');
    await turns();
    assert.match(
      transport.sent[0] ?? '',
      /failed to parse JSON-RPC message from exec-server stdio: a message has to be an object/,
    );
  });

  for (const last of [
    { method: 'process/start', params: {} },
    { method: '$/cancelRequest', params: { id: 1 } },
    { method: '$/progress', params: { token: 1, value: 1 } },
    { method: '$/logTrace' },
    { method: 'mark' },
    { id: 1, result: 5 },
    { id: 1, error: { code: 1, message: 'x' } },
  ]) {
    it(`hangs up at ${JSON.stringify(last)}, after all that came before it`, async () => {
      const { transport, asked } = setUp();
      let ended: string | undefined;
      transport.onEnd(({ reason }) => (ended = reason));
      transport.receive({ id: 1, method: 'a' });
      transport.receive(last);
      transport.receive({ id: 2, method: 'never' });
      transport.receive({ method: 'initialized' });
      await turns();
      assert.equal(asked[0], 'a');
      assert.ok(!asked.includes('never') && !asked.includes('initialized!'));
      assert.match(ended ?? '', /^the client (sent the notification|answered)/);
      assert.deepEqual(transport.messages, [{ id: 1, result: {} }]);
    });
  }

  it('takes requests by any name, those of the library included', async () => {
    const { transport, asked } = setUp();
    const names = ['$/cancelRequest', '', 'constructor', 'wire:x', '__proto__'];
    names.forEach((method, id) => transport.receive({ id, method, params: { id: 0 } }));
    await turns();
    assert.deepEqual(asked, names);
    assert.equal(transport.sent.length, names.length);
  });

  it('sends notifications and output in the order in which they are given', async () => {
    const { transport, wire } = setUp();
    const flushed: string[] = [];
    wire.notify('process/exited', { processId: 'p', seq: 1, exitCode: 0 }, () => flushed.push('exited'));
    wire.sendOutput({ processId: 'p', seq: 2, stream: 'stdout', bytes: Buffer.from('hi') }, () =>
      flushed.push('output'),
    );
    wire.notify('process/closed', { processId: 'p', seq: 3 });
    await turns();
    assert.deepEqual(transport.sent, [
      '{"method":"process/exited","params":{"processId":"p","seq":1,"exitCode":0}}',
      '{"method":"process/output","params":{"processId":"p","seq":2,"stream":"stdout","chunk":"aGk="}}',
      '{"method":"process/closed","params":{"processId":"p","seq":3}}',
    ]);
    assert.deepEqual(flushed.sort(), ['exited', 'output']);
  });

  it('sends output as frames to a client that takes them, where bytes can be carried', async () => {
    const output = { processId: 'p', seq: 2, stream: 'stdout', bytes: Buffer.from('hi') } as const;
    for (const carriesBytes of [true, false]) {
      const { transport, wire } = setUp();
      transport.carriesBytes = carriesBytes;
      let flushed = 0;
      wire.sendOutput({ ...output, seq: 1 });
      wire.useOutputFrames();
      wire.sendOutput(output, () => (flushed += 1));
      // More than a frame has room for.
      wire.sendOutput({ ...output, processId: 'p'.repeat(70_000) });
      await turns();
      assert.deepEqual(transport.sentBytes.map(decodeOutputFrame), carriesBytes ? [output] : []);
      assert.equal(transport.sent.length, carriesBytes ? 2 : 3);
      assert.equal(flushed, 1);
    }
  });

  it('calls no callback for messages that were never handed to the system', async () => {
    const { transport, wire } = setUp();
    transport.flushes = false;
    const never = () => assert.fail('It was called.');
    wire.notify('process/closed', { processId: 'p', seq: 3 }, never);
    wire.sendOutput({ processId: 'p', seq: 2, stream: 'stdout', bytes: Buffer.from('hi') }, never);
    await turns();
    assert.equal(transport.sent.length, 2);
  });

  it('tells the end after all that came before it, once, and sends nothing after it', async () => {
    const { transport, wire, asked } = setUp(() => new Promise(() => undefined));
    const events: string[] = [];
    wire.onEnd(({ reason }) => events.push(`${reason} after ${asked.join()}`));
    transport.receive({ id: 1, method: 'a' });
    transport.receive({ id: 2, method: 'b' });
    transport.destroy('cut');
    wire.notify('process/closed', { processId: 'p', seq: 1 });
    await turns();
    wire.notify('process/closed', { processId: 'p', seq: 1 });
    wire.sendOutput({ processId: 'p', seq: 1, stream: 'pty', bytes: Buffer.from('') });
    wire.close();
    wire.destroy('again');
    await turns();
    assert.deepEqual(events, ['cut after a,b']);
    assert.deepEqual(transport.sent, []);
  });

  it('tells the end of a transport that had ended before', async () => {
    const transport = new FakeTransport();
    transport.destroy('gone');
    const wire = serveConnection(transport, () => ({ request: () => ({}), notification: () => true }));
    const ends: string[] = [];
    wire.onEnd(({ reason }) => ends.push(reason));
    await turns();
    assert.deepEqual(ends, ['gone']);
  });

  it('lets a client wait that sends faster than it is served', async () => {
    const { transport, asked } = setUp();
    for (let id = 0; id < MAX_WAITING_MESSAGES; id++) {
      transport.receive({ id, method: 'm' });
    }
    assert.equal(transport.paused, false);
    transport.receive({ id: 'more', method: 'm' });
    assert.equal(transport.paused, true);
    await turns(MAX_WAITING_MESSAGES + 10);
    assert.equal(asked.length, MAX_WAITING_MESSAGES + 1);
    assert.equal(transport.paused, false);
  });

  it('lets a client wait that takes no answers, of whatever kind', async () => {
    for (const message of ['{"id":1,"method":"m"}', 'no message']) {
      const { transport } = setUp();
      const flush: (() => void)[] = [];
      transport.send = (_, flushed) => void flush.push(flushed ?? (() => undefined));
      for (let count = 0; count <= MAX_UNANSWERED_REQUESTS; count++) {
        transport.receive(message);
      }
      while (flush.length <= MAX_UNANSWERED_REQUESTS) {
        await turns(100);
      }
      await turns();
      assert.equal(transport.paused, true, message);
      flush.shift()?.();
      assert.equal(transport.paused, false, message);
    }
  });

  it('lets a client wait that does not take a large answer', async () => {
    const { transport, wire } = setUp(() => 'x'.repeat(MAX_UNSENT_CHARACTERS));
    const unsent: number[] = [];
    wire.onSent(() => unsent.push(wire.unsentCharacters));
    const flush: (() => void)[] = [];
    transport.send = (_, flushed) => void flush.push(flushed ?? (() => undefined));
    transport.receive({ id: 1, method: 'm' });
    await turns();
    assert.equal(transport.paused, true);
    assert.ok(wire.unsentCharacters > MAX_UNSENT_CHARACTERS);
    assert.deepEqual(unsent, []);
    flush.forEach((flushed) => flushed());
    assert.equal(transport.paused, false);
    assert.deepEqual(unsent, [0]);
  });

  it('makes a client wait that has too many or too large unanswered requests', async () => {
    for (const { count, size } of [
      { count: MAX_UNANSWERED_REQUESTS + 1, size: 1 },
      { count: 3, size: 50_000_000 },
    ]) {
      const answers: (() => void)[] = [];
      const { transport } = setUp(() => new Promise((resolve) => answers.push(() => resolve({}))));
      const params = 'x'.repeat(size);
      for (let id = 0; id < count; id++) {
        assert.equal(transport.paused, false, String(id));
        transport.receive({ id, method: 'm', params });
        await turns(2);
      }
      assert.equal(transport.paused, true);
      answers.shift()?.();
      await turns();
      assert.equal(transport.paused, false);
    }
  });
});
