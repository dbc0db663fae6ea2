import assert from 'node:assert/strict';

import { parseClientMessage } from '../../../src/protocol/messages/clientMessage.js';
import { MessageFault } from '../../../src/protocol/messages/scanMessage.js';

const STATUS = '"method":"environment/status"';
const BAD_ID = 'data did not match any variant of untagged enum RequestId';

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
    const text = `{"id":${'9'.repeat(20_000_000)},${STATUS}}`;
    const start = process.hrtime.bigint();
    assert.throws(() => parseClientMessage(text), new MessageFault(BAD_ID));
    // This takes a hundredth of the bound; reading the number would take ten seconds.
    assert.ok(Number(process.hrtime.bigint() - start) / 1e6 < 3_000);
  });

  it('quotes only the beginning of a string of millions of characters', () => {
    const text = `{"id":1,${STATUS},"trace":"${'\\"'.repeat(10_000_000)}"}`;
    assert.throws(
      () => parseClientMessage(text),
      (error) => error instanceof MessageFault && error.message.length < 200_000,
    );
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

  // The faults that the real server reported.
  const faults = [
    ['null', 'expected a JSON-RPC object'],
    ['5', 'expected a JSON-RPC object'],
    ['"x"', 'expected a JSON-RPC object'],
    ['[]', 'expected a JSON-RPC object'],
    [`[{"id":1,${STATUS}}]`, 'expected a JSON-RPC object'],
    ['{}', 'missing field `error`'],
    ['{"id":4}', 'missing field `error`'],
    ['{"params":{}}', 'missing field `error`'],
    ['{"result":5}', 'missing field `id`'],
    ['{"id":null,"result":5}', BAD_ID],
    ['{"error":{}}', 'missing field `code`'],
    ['{"id":1,"error":{"code":1}}', 'missing field `message`'],
    ['{"id":1,"error":{"code":1.5,"message":"x"}}', 'invalid number'],
    ['{"id":1,"error":5}', 'invalid type: number, expected struct JSONRPCErrorError'],
    [`{"id":1.5,${STATUS}}`, BAD_ID],
    [`{"id":1e3,${STATUS}}`, BAD_ID],
    [`{"id":1.0,${STATUS}}`, BAD_ID],
    [`{"id":9223372036854775808,${STATUS}}`, BAD_ID],
    [`{"id":-9223372036854775809,${STATUS}}`, BAD_ID],
    [`{"id":null,${STATUS}}`, BAD_ID],
    [`{"id":true,${STATUS}}`, BAD_ID],
    [`{"id":{},${STATUS}}`, BAD_ID],
    [`{"id":[],${STATUS}}`, BAD_ID],
    ['{"id":1,"method":5}', 'invalid type: number, expected a string'],
    ['{"id":1,"method":5,"result":7}', 'invalid type: number, expected a string'],
    ['{"method":null}', 'invalid type: null, expected a string'],
    [`{"id":1,${STATUS},"trace":5}`, 'invalid type: number, expected struct W3cTraceContext'],
    [`{"id":1,${STATUS},"trace":"x"}`, 'invalid type: string "x", expected struct W3cTraceContext'],
    [
      `{"id":1,${STATUS},"trace":"a\u0300 \ufeff\ufffe\u0378\u00a0\u3000\ue000é"}`,
      'invalid type: string "a\\u{300} \\u{feff}\\u{fffe}\\u{378}\\u{a0}\\u{3000}\\u{e000}é", expected struct W3cTraceContext',
    ],
    [`{"id":1,${STATUS},"trace":{"traceparent":5}}`, 'invalid type: number, expected a string'],
    ['{"x":"\u0001"}', 'control character (\\u0000-\\u001F) found while parsing a string at line 1 column 7'],
  ] as const;
  for (const [text, fault] of faults) {
    it(`says of ${text} what the real server says`, () => {
      assert.throws(
        () => parseClientMessage(text),
        (error) => error instanceof MessageFault && error.message === fault,
      );
    });
  }
});
