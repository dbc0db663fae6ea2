import assert from 'node:assert/strict';

import { decodeParams, requests, WireError, type RequestName } from '../../../src/protocol/index.js';

const START = { processId: 'q', argv: ['true'], cwd: 'file:///tmp', env: {}, tty: false };
const POLICY = { inherit: 'all', ignoreDefaultExcludes: true, exclude: [], set: {}, includeOnly: [] };
const WALK = {
  maxDepth: 1,
  maxDirectories: 1,
  maxEntries: 1,
  followDirectorySymlinks: true,
  pruneHiddenDirectories: true,
};
const GET = { method: 'GET', url: 'http://x', requestId: 'r' };

/** The parameters of a request as they arrive: an object whose members are in the order of the text. */
const parse = (text: string): unknown => JSON.parse(text);

function assertFault(method: RequestName, params: unknown, fault: string | RegExp): void {
  assert.throws(() => decodeParams(method, params), { name: 'WireError', code: -32602, message: fault });
}

describe('decodeParams', () => {
  it('takes what it needs and leaves out what it does not know', () => {
    const known = { ...START, pipeStdin: true, arg0: null, envPolicy: POLICY };
    const params = { ...known, envPolicy: { ...POLICY, x: 1 }, unknown: [1] };
    assert.deepEqual(decodeParams('process/start', params), known);
    assert.deepEqual(decodeParams('process/read', { processId: 'p', afterSeq: null, waitMs: 0 }), {
      processId: 'p',
      afterSeq: null,
      waitMs: 0,
    });
  });

  it('takes numbers of 64 bits', () => {
    const { waitMs, maxBytes } = decodeParams(
      'process/read',
      parse('{"processId":"p","waitMs":18446744073709551615,"maxBytes":-0}'),
    );
    assert.ok(waitMs !== undefined && waitMs !== null && waitMs > Number.MAX_SAFE_INTEGER);
    assert.equal(maxBytes, -0);
  });

  for (const method of ['environment/info', 'environment/status', 'process/list'] as const) {
    it(`takes nothing for ${method}, in any form`, () => {
      for (const nothing of [undefined, null, {}]) {
        assert.deepEqual(decodeParams(method, nothing), {});
      }
      for (const something of [{ a: 1 }, [], 'x', 5, true]) {
        assertFault(method, something, 'this method takes no parameters');
      }
    });
  }

  const methods = Object.entries(requests) as readonly [RequestName, { params: { shape: object } }][];
  /** Members of our own, which have no position. */
  const own: Partial<Record<RequestName, number>> = {
    'process/start': 6,
    'fs/readDirectory': 1,
    'fs/open': 1,
  };
  /** The first member that is needed, if any, where a process is named by either of two members. */
  const firstNeeded: Partial<Record<RequestName, string>> = {
    'process/remove': '',
    'process/readKept': 'afterSeq',
  };
  for (const [method, { params }] of methods) {
    const names = Object.keys(params.shape);
    const positions = names.length - (own[method] ?? 0);
    const [first = ''] = names;
    if (first === '') continue;
    it(`says what is wrong with parameters for ${method}`, () => {
      assertFault(method, undefined, 'params is missing: it has to be an object');
      for (const other of [null, 'x', 1.5, false]) {
        assertFault(method, other, 'params is wrong: it has to be an object');
      }
      const { [method]: needed = first } = firstNeeded;
      const missing = new RegExp(`^"${needed}" is missing: it has to be a (string|number)$`);
      for (const none of needed === '' ? [] : [{}, { a: 1 }, []]) {
        assertFault(method, none, missing);
      }
      assertFault(method, [{}], new RegExp(`^"${first}" is wrong: it has to be a (string|number)$`));
      const many = Array.from({ length: positions + 1 }, () => null);
      assertFault(
        method,
        many,
        `there are ${many.length} parameters, and this method takes ${positions} at most`,
      );
    });
  }

  it('takes members by their position', () => {
    assert.deepEqual(decodeParams('process/terminate', ['zz']), { processId: 'zz' });
    assert.deepEqual(decodeParams('process/read', ['p', 1, 2, 3]), {
      processId: 'p',
      afterSeq: 1,
      maxBytes: 2,
      waitMs: 3,
    });
    assert.deepEqual(decodeParams('fs/open', ['h', 'file:///x', 'read', null]), {
      handleId: 'h',
      path: 'file:///x',
      mode: 'read',
      sandbox: null,
    });
    const { processId, argv, cwd, env, tty } = START;
    assert.deepEqual(
      decodeParams('process/start', [processId, null, argv, cwd, POLICY, null, env, tty, true]),
      {
        ...START,
        metadata: null,
        envPolicy: POLICY,
        shellSnapshot: null,
        pipeStdin: true,
      },
    );
    assert.deepEqual(
      decodeParams('http/request', ['GET', 'http://x', [], null, null, 'follow', 'r']).requestId,
      'r',
    );
  });

  const whole = 'it has to be a whole number of 64 bits, from 0 on';
  const faults = [
    ['process/write', ['p', ''], '"writeId" is missing: it has to be a string'],
    ['process/write', ['p', [[7]], 'w'], '"chunk" is wrong: it has to be a string'],
    ['process/start', { ...START, processId: null }, '"processId" is wrong: it has to be a string'],
    ['process/start', { ...START, argv: 'x' }, '"argv" is wrong: it has to be an array'],
    ['process/start', { ...START, argv: {} }, '"argv" is wrong: it has to be an array'],
    ['process/start', { ...START, argv: ['x', 1] }, '"argv.1" is wrong: it has to be a string'],
    ['process/start', { ...START, env: null }, '"env" is wrong: it has to be an object'],
    ['process/start', { ...START, env: [] }, '"env" is wrong: it has to be an object'],
    ['process/start', { ...START, env: { a: 1 } }, '"env.a" is wrong: it has to be a string'],
    ['process/start', { ...START, tty: 'a"b' }, '"tty" is wrong: it has to be a boolean'],
    ['process/start', { ...START, pipeStdin: null }, '"pipeStdin" is wrong: it has to be a boolean'],
    ['process/start', { ...START, arg0: 5 }, '"arg0" is wrong: it has to be a string'],
    ['process/start', { ...START, envPolicy: 1 }, '"envPolicy" is wrong: it has to be an object'],
    [
      'process/start',
      { ...START, envPolicy: { ...POLICY, inherit: 'term' } },
      '"envPolicy.inherit" is wrong: it has to be "core" or "all" or "none"',
    ],
    [
      'process/start',
      { ...START, envPolicy: { ...POLICY, exclude: null } },
      '"envPolicy.exclude" is wrong: it has to be an array',
    ],
    ['process/read', { processId: 'p', afterSeq: -1 }, `"afterSeq" is wrong: ${whole}`],
    ['process/read', { processId: 'p', maxBytes: 1.5 }, `"maxBytes" is wrong: ${whole}`],
    ['process/read', { processId: 'p', waitMs: 2 ** 65 }, `"waitMs" is wrong: ${whole}`],
    ['process/read', { processId: 'p', waitMs: Infinity }, '"waitMs" is wrong: it has to be a number'],
    ['process/read', { processId: 'p', afterSeq: 'x' }, '"afterSeq" is wrong: it has to be a number'],
    ['fs/walk', { path: 'file:///x' }, '"options" is missing: it has to be an object'],
    [
      'fs/walk',
      { path: 'file:///x', options: { maxDepth: 1 } },
      '"options.maxDirectories" is missing: it has to be a number',
    ],
    [
      'fs/walk',
      { path: 'file:///x', options: { ...WALK, maxDepth: 'x' } },
      '"options.maxDepth" is wrong: it has to be a number',
    ],
    [
      'fs/open',
      { handleId: 'h', path: 'file:///x', mode: { read: 1 } },
      '"mode" is wrong: it has to be "read" or "replace"',
    ],
    [
      'http/request',
      { ...GET, redirectPolicy: '' },
      '"redirectPolicy" is wrong: it has to be "follow" or "stop"',
    ],
    ['http/request', { ...GET, headers: null }, '"headers" is wrong: it has to be an array'],
    [
      'http/request',
      { ...GET, headers: [{ name: 'a' }] },
      '"headers.0.value" is missing: it has to be a string',
    ],
  ] as const;
  for (const [method, params, fault] of faults) {
    it(`says what is wrong with ${JSON.stringify(params)} for ${method}`, () => {
      assertFault(method, params, fault);
    });
  }

  it('repeats only the beginning of a name', () => {
    const env = { ['x'.repeat(1_000_000)]: 1 };
    assertFault('process/start', { ...START, env }, /^"env\.x{1,100}…" is wrong: it has to be a string$/);
  });

  it('has an answer for any value for any method', () => {
    const values = [
      undefined,
      null,
      0,
      '',
      true,
      [],
      {},
      [null],
      [{}],
      { processId: [] },
      parse('{"__proto__":1}'),
    ];
    for (const method of Object.keys(requests) as RequestName[]) {
      for (const value of values) {
        try {
          decodeParams(method, value);
        } catch (error) {
          assert.ok(error instanceof WireError && error.code === -32602, String(error));
          assert.notEqual(error.message, 'the parameters are wrong', `${method} ${JSON.stringify(value)}`);
        }
      }
    }
  });
});
