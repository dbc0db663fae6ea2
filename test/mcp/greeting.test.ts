import assert from 'node:assert/strict';
import { PassThrough } from 'node:stream';

import fc from 'fast-check';

import { greet, HANDSHAKE_VERSIONS } from '../../src/mcp/greeting.js';
import { converse, type Conversation } from './greetedClient.js';
import { ScriptedTools } from './scriptedTools.js';

const rpc = (message: object) => JSON.stringify({ jsonrpc: '2.0', ...message });
const clientInfo = { name: 'raw', title: 'Raw', version: '0', websiteUrl: 'https://localhost' };
const hello = (protocolVersion: unknown, params: object = {}, id: unknown = 0) =>
  rpc({ id, method: 'initialize', params: { protocolVersion, capabilities: {}, clientInfo, ...params } });
const initialized = rpc({ method: 'notifications/initialized' });
const list = rpc({ id: 1, method: 'tools/list' });
const call = (id: unknown, name = 'look') =>
  rpc({ id, method: 'tools/call', params: { name, arguments: { far: true } } });
const envelope = {
  'io.modelcontextprotocol/protocolVersion': '2026-07-28',
  'io.modelcontextprotocol/clientInfo': { name: 'new', version: '1' },
  'io.modelcontextprotocol/clientCapabilities': {},
};
const bytes = (...lines: readonly string[]) => Buffer.from(lines.map((line) => `${line}\n`).join(''));

/** All answers, in no order: the SDK gives that of one request as soon as it has it, even to those with one id. */
function unordered({ answers, calls }: Conversation): object {
  return { calls, answers: answers.toSorted() };
}

async function assertSame(pieces: readonly Uint8Array[]): Promise<Conversation> {
  const greeted = await converse(pieces, { greeting: true });
  const alone = await converse([Buffer.concat(pieces)], { greeting: false });
  assert.deepEqual(unordered(greeted), unordered(alone));
  return greeted;
}

describe('The greeting of a client of MCP', () => {
  for (const version of [...HANDSHAKE_VERSIONS, '2024-01-01', '2026-07-28', '2999-01-01', '']) {
    it(`says in ${version || 'no revision'} what the SDK would say, byte for byte`, async () => {
      const { greeted, answers } = await assertSame([
        bytes(hello(version), initialized, list, rpc({ id: 2, method: 'ping' }), call(3)),
      ]);
      assert.equal(greeted, 3);
      const ids = answers.map((line) => (JSON.parse(line) as { id: unknown }).id);
      assert.deepEqual(ids.slice(0, greeted), [0, 1, 2]);
      assert.equal(answers.length, 5);
    });
  }

  it('answers a client that begins with a byte order mark, in pieces as well', async () => {
    const [first, ...rest] = Buffer.from('\uFEFF').values();
    for (const more of [[], [{ more: 1 }]]) {
      const begun = hello('2025-06-18', ...more);
      const { answers } = await converse(
        [Uint8Array.of(Number(first)), Uint8Array.from(rest), bytes(begun, list)],
        {
          greeting: true,
        },
      );
      assert.deepEqual(answers, (await converse([bytes(begun, list)], { greeting: true })).answers);
      assert.equal(answers.length, 3);
    }
  });

  for (const [what, params] of Object.entries({
    'roots': { capabilities: { roots: { listChanged: true }, sampling: {}, elicitation: {} } },
    'forms and addresses': { capabilities: { elicitation: { form: {}, url: {} }, sampling: { tools: {} } } },
    'experiments': { capabilities: { experimental: { a: { b: [1, null] } }, extensions: { x: {} } } },
  })) {
    it(`greets a client that can do ${what}`, async () => {
      assert.equal((await assertSame([bytes(hello('2025-06-18', params), list)])).greeted, 2);
    });
  }

  const opening: Readonly<Record<string, string>> = {
    'a batch': `[${hello('2025-03-26')}]`,
    'no JSON': 'hello?',
    'an empty line': '',
    'no method': rpc({ id: 0 }),
    'another version of JSON-RPC': hello('2025-06-18').replace('2.0', '1.0'),
    'a field too many': rpc({ id: 0, method: 'ping', more: true }),
    'an id that is a fraction': hello('2025-06-18', {}, 1.5),
    'an id that is null': hello('2025-06-18', {}, null),
    'no id': rpc({ method: 'initialize', params: {} }),
    'no name': hello('2025-06-18', { clientInfo: { version: '1' } }),
    'a revision that is a number': hello(2),
    'capabilities that are none': hello('2025-06-18', { capabilities: [] }),
    'a root that is none': hello('2025-06-18', { capabilities: { roots: { listChanged: 'x' } } }),
    'a capability that is a text': hello('2025-06-18', { capabilities: { experimental: { a: 'x' } } }),
    'a form that is none': hello('2025-06-18', { capabilities: { elicitation: { form: 1 } } }),
    'an unknown field': hello('2025-06-18', { more: 1 }),
    'a call': call(7),
    'a list': list,
    'an early notification': initialized,
    'a cancellation': rpc({ method: 'notifications/cancelled', params: { requestId: 77 } }),
    'an answer': rpc({ id: 5, result: {} }),
    'a look around': rpc({ id: 5, method: 'server/discover', params: { _meta: envelope } }),
    'a list in the newest revision': rpc({ id: 5, method: 'tools/list', params: { _meta: envelope } }),
    'an envelope that is none': hello('2025-06-18', { _meta: { ...envelope, more: 1 } }),
    'a method of nobody': rpc({ id: 6, method: 'no/such' }),
    'a list from somewhere': rpc({ id: 6, method: 'tools/list', params: { cursor: 'x' } }),
    'a list with a cursor that is none': rpc({ id: 6, method: 'tools/list', params: { cursor: 1 } }),
    'a list with a token': rpc({ id: 6, method: 'tools/list', params: { _meta: { progressToken: 1 } } }),
    'a ping with a token that is none': rpc({
      id: 6,
      method: 'ping',
      params: { _meta: { progressToken: {} } },
    }),
    'another handshake': hello('2025-06-18', {}, 8),
    'half a character': call('\ud83d', 'act'),
    'a long line': call('x'.repeat(20_000)),
    'a deep line': hello('2025-06-18', {
      capabilities: {
        experimental: { a: JSON.parse('{"a":'.repeat(700) + '{}' + '}'.repeat(700)) as object },
      },
    }),
  };

  for (const [what, line] of Object.entries(opening)) {
    it(`leaves ${what} to the SDK, at first or later`, async () => {
      await assertSame([bytes(line, hello('2025-06-18'), initialized, call(9))]);
      await assertSame([bytes(hello('2025-06-18'), line, initialized, list, call(9))]);
    });
  }

  it('loses, doubles and mixes up nothing, whatever comes in whatever pieces @property', async () => {
    const messages = [
      hello('2025-06-18'),
      hello('2024-11-05', { capabilities: { roots: {} } }, 'a'),
      initialized,
      list,
      rpc({ id: 2, method: 'ping', params: {} }),
      call(3),
      call(4, 'act'),
      call(4, 'no such tool'),
      `${call(11)}\r`,
      ...Object.values(opening).filter((line) => line.length < 1_000),
    ];
    const message = fc.constantFrom(...messages);
    const conversation = fc.tuple(
      fc.oneof(
        fc.constant([]),
        fc.constant([messages[0] ?? '']),
        fc.constant([messages[1] ?? '', initialized]),
      ),
      fc.array(message, { maxLength: 6 }),
      fc.array(fc.nat(), { maxLength: 8 }),
    );
    await fc.assert(
      fc.asyncProperty(conversation, async ([first, rest, cuts]) => {
        const whole = bytes(...first, ...rest);
        const places = [...new Set(cuts.map((cut) => cut % (whole.length + 1)))].sort((a, b) => a - b);
        const pieces = [...places, whole.length].map((end, index) =>
          whole.subarray(places[index - 1] ?? 0, end),
        );
        await assertSame(pieces);
      }),
    );
  });

  for (const [how, leave] of Object.entries({
    'its input ends': ({ input }: Streams): void => void input.end(),
    'its input breaks': ({ input }: Streams): void => void input.destroy(),
    'nobody reads its output': ({ output }: Streams): void => void output.destroy(new Error('EPIPE')),
  })) {
    it(`is over when ${how}`, async () => {
      const streams = { input: new PassThrough(), output: new PassThrough() };
      const { definitions } = new ScriptedTools();
      const greeting = new Promise((resolve) => {
        const over = greet({ definitions, version: '1', ...streams }, () => leave(streams));
        resolve(over);
      });
      streams.input.write(bytes(hello('2025-06-18')));
      assert.equal(await greeting, undefined);
    });
  }
});

interface Streams {
  readonly input: PassThrough;
  readonly output: PassThrough;
}
