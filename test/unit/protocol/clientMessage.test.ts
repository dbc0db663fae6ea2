import assert from 'node:assert/strict';
import { mock } from 'node:test';

import { parseClientMessage } from '../../../src/protocol/messages/clientMessage.js';
import { MessageFault } from '../../../src/protocol/messages/scanMessage.js';

const STATUS = '"method":"environment/status"';
const BAD_ID = '`id` has to be a string or an integer of 64 bits';
const BAD_TRACE = '`trace` has to be an object whose `traceparent` and `tracestate` are strings';
const NOTHING = 'it has no `method`, and no `result` or `error` with a code and a message';

describe('parseClientMessage', () => {
  it('reads a request, with or without what JSON-RPC wants', () => {
    for (const more of [
      '',
      ',"jsonrpc":"2.0"',
      ',"jsonrpc":7',
      ',"result":5',
      ',"error":5',
      ',"x":{"method":1}',
    ]) {
      assert.deepEqual(parseClientMessage(`{"id":1,${STATUS},"params":{"a":[1]}${more}}`), {
        kind: 'request',
        id: '1',
        method: 'environment/status',
        params: { a: [1] },
      });
    }
  });

  it('reads a notification, whose trace nobody looks at', () => {
    assert.deepEqual(parseClientMessage('{"method":"initialized","trace":5}'), {
      kind: 'notification',
      method: 'initialized',
      params: undefined,
    });
  });

  for (const id of ['""', '"a\\u0062\\n"', '0', '-0', '9223372036854775807', '-9223372036854775808']) {
    it(`keeps the id ${id} as it is`, () => {
      const message = parseClientMessage(`{"id": ${id} ,${STATUS}}`);
      assert.equal(message.kind === 'request' && message.id, id);
    });
  }

  it('does not read a number of millions of digits', () => {
    const text = `{"id":${'9'.repeat(2_000_000)},${STATUS}}`;
    const read = mock.method(globalThis, 'BigInt');
    try {
      assert.throws(() => parseClientMessage(text), new MessageFault(BAD_ID));
      assert.equal(read.mock.callCount(), 0);
    } finally {
      read.mock.restore();
    }
  });

  for (const text of [
    '{"id":1,"result":5}',
    '{"id":1,"result":null}',
    '{"id":"x","error":{"code":1,"message":"x"}}',
    '{"id":-1,"error":{"code":1,"message":"x","data":{}},"result":5}',
  ]) {
    it(`knows that ${text} is an answer`, () =>
      assert.deepEqual(parseClientMessage(text), { kind: 'answer' }));
  }

  for (const trace of ['null', '{}', '[]', '{"traceparent":null,"tracestate":"x","z":1}']) {
    it(`takes the trace ${trace}`, () => {
      assert.equal(parseClientMessage(`{"id":1,${STATUS},"trace":${trace}}`).kind, 'request');
    });
  }

  // The real server refuses the same.
  const faults = [
    ['null', 'a message has to be an object'],
    ['5', 'a message has to be an object'],
    ['"x"', 'a message has to be an object'],
    ['[]', 'a message has to be an object'],
    [`[{"id":1,${STATUS}}]`, 'a message has to be an object'],
    ['{}', NOTHING],
    ['{"id":4}', NOTHING],
    ['{"params":{}}', NOTHING],
    ['{"result":5}', 'an answer has to have an `id`'],
    ['{"id":null,"result":5}', BAD_ID],
    ['{"error":{}}', NOTHING],
    ['{"id":1,"error":{"code":1}}', NOTHING],
    ['{"id":1,"error":{"code":1.5,"message":"x"}}', NOTHING],
    ['{"id":1,"error":5}', NOTHING],
    [`{"id":1.5,${STATUS}}`, BAD_ID],
    [`{"id":1e3,${STATUS}}`, BAD_ID],
    [`{"id":1.0,${STATUS}}`, BAD_ID],
    [`{"id":9223372036854775808,${STATUS}}`, BAD_ID],
    [`{"id":-9223372036854775809,${STATUS}}`, BAD_ID],
    [`{"id":null,${STATUS}}`, BAD_ID],
    [`{"id":true,${STATUS}}`, BAD_ID],
    [`{"id":{},${STATUS}}`, BAD_ID],
    [`{"id":[],${STATUS}}`, BAD_ID],
    ['{"id":1,"method":5}', '`method` has to be a string'],
    ['{"id":1,"method":5,"result":7}', '`method` has to be a string'],
    ['{"method":null}', '`method` has to be a string'],
    [`{"id":1,${STATUS},"trace":5}`, BAD_TRACE],
    [`{"id":1,${STATUS},"trace":"x"}`, BAD_TRACE],
    [`{"id":1,${STATUS},"trace":{"traceparent":5}}`, BAD_TRACE],
  ] as const;
  for (const [text, fault] of faults) {
    it(`says what is wrong with ${text}`, () => {
      assert.throws(
        () => parseClientMessage(text),
        (error) => error instanceof MessageFault && error.message === fault,
      );
    });
  }

  it('repeats the words of the parser for invalid JSON', () => {
    for (const text of [
      '{"x":"\u0001"}',
      '{"x":"\\x"}',
      '{"x":"\\u12"}',
      '{"x":01}',
      '{"x":1,}',
      '',
      '\ufeff{}',
      '{} x',
    ]) {
      assert.throws(
        () => parseClientMessage(text),
        (error) => error instanceof MessageFault && /^it is not JSON: ./.test(error.message),
        text,
      );
    }
  });
});
