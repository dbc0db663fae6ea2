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

function assertFault(method: RequestName, params: unknown, fault: string): void {
  assert.throws(() => decodeParams(method, params), new WireError(-32602, fault));
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
      assertFault(method, { a: 1 }, 'invalid type: map, expected unit');
      assertFault(method, [], 'invalid type: sequence, expected unit');
      assertFault(method, 'x', 'invalid type: string "x", expected unit');
      assertFault(method, 5, 'invalid type: number, expected unit');
      assertFault(method, true, 'invalid type: boolean `true`, expected unit');
    });
  }

  // The name of every kind of parameters, and the number of members that the real server counts.
  const structs = [
    ['initialize', 'InitializeParams', 2, 'clientName'],
    ['process/start', 'WireExecParams', 14, 'processId'],
    ['process/read', 'ReadParams', 4, 'processId'],
    ['process/write', 'WriteParams', 3, 'processId'],
    ['process/signal', 'SignalParams', 2, 'processId'],
    ['process/terminate', 'TerminateParams', 1, 'processId'],
    ['fs/readFile', 'WireFsReadFileParams', 3, 'path'],
    ['fs/writeFile', 'WireFsWriteFileParams', 4, 'path'],
    ['fs/createDirectory', 'WireFsCreateDirectoryParams', 4, 'path'],
    ['fs/getMetadata', 'WireFsGetMetadataParams', 3, 'path'],
    ['fs/canonicalize', 'WireFsCanonicalizeParams', 2, 'path'],
    ['fs/readDirectory', 'WireFsReadDirectoryParams', 2, 'path'],
    ['fs/walk', 'WireFsWalkParams', 3, 'path'],
    ['fs/remove', 'WireFsRemoveParams', 5, 'path'],
    ['fs/copy', 'WireFsCopyParams', 4, 'sourcePath'],
    ['fs/open', 'WireFsOpenParams', 4, 'handleId'],
    ['fs/readBlock', 'FsReadBlockParams', 3, 'handleId'],
    ['fs/writeBlock', 'FsWriteBlockParams', 3, 'handleId'],
    ['fs/close', 'FsCloseParams', 1, 'handleId'],
    ['http/request', 'HttpRequestParams', 8, 'method'],
  ] as const;
  for (const [method, name, elements, first] of structs) {
    it(`says of parameters for ${method} what the real server says`, () => {
      assertFault(method, undefined, `invalid type: null, expected struct ${name}`);
      assertFault(method, null, `invalid type: null, expected struct ${name}`);
      assertFault(method, 'x', `invalid type: string "x", expected struct ${name}`);
      assertFault(method, 1.5, `invalid type: number, expected struct ${name}`);
      assertFault(method, false, `invalid type: boolean \`false\`, expected struct ${name}`);
      assertFault(method, {}, `missing field \`${first}\``);
      assertFault(method, { a: 1 }, `missing field \`${first}\``);
      assertFault(method, [1], 'invalid type: number, expected a string');
      const count = elements === 1 ? '1 element' : `${elements} elements`;
      assertFault(method, [], `invalid length 0, expected struct ${name} with ${count}`);
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

  const faults = [
    ['process/write', ['p', ''], 'invalid length 2, expected struct WriteParams with 3 elements'],
    ['process/write', ['p', '', 'w', 1], 'invalid length 4, expected fewer elements in array'],
    ['process/write', ['p', [[7]], 'w'], 'invalid type: sequence, expected a string'],
    ['process/read', ['p', [[7]], null, null], 'invalid type: sequence, expected u64'],
    ['process/read', ['p', null, [[7]], null], 'invalid type: sequence, expected usize'],
    ['process/start', { ...START, processId: null }, 'invalid type: null, expected a string'],
    ['process/start', { ...START, argv: 'x' }, 'invalid type: string "x", expected a sequence'],
    ['process/start', { ...START, argv: {} }, 'invalid type: map, expected a sequence'],
    ['process/start', { ...START, argv: [1] }, 'invalid type: number, expected a string'],
    ['process/start', { ...START, env: null }, 'invalid type: null, expected a map'],
    ['process/start', { ...START, env: [] }, 'invalid type: sequence, expected a map'],
    ['process/start', { ...START, env: { a: 1 } }, 'invalid type: number, expected a string'],
    ['process/start', { ...START, tty: 'a"b' }, 'invalid type: string "a\\"b", expected a boolean'],
    [
      'process/start',
      { ...START, tty: 'a\nb\u0001\u007fé\\' },
      'invalid type: string "a\\nb\\u{1}\\u{7f}é\\\\", expected a boolean',
    ],
    [
      'process/start',
      { ...START, tty: "\t\0'\u200b😀" },
      'invalid type: string "\\t\\0\'\\u{200b}😀", expected a boolean',
    ],
    ['process/start', { ...START, pipeStdin: null }, 'invalid type: null, expected a boolean'],
    ['process/start', { ...START, arg0: 5 }, 'invalid type: number, expected a string'],
    ['process/start', { ...START, envPolicy: 1 }, 'invalid type: number, expected struct ExecEnvPolicy'],
    ['process/start', { ...START, envPolicy: {} }, 'missing field `inherit`'],
    [
      'process/start',
      { ...START, envPolicy: { ...POLICY, inherit: 'term' } },
      'unknown variant `term`, expected one of `core`, `all`, `none`',
    ],
    [
      'process/start',
      { ...START, envPolicy: { ...POLICY, inherit: 5 } },
      'invalid type: number, expected string or map',
    ],
    [
      'process/start',
      { ...START, envPolicy: { ...POLICY, set: null } },
      'invalid type: null, expected a map',
    ],
    [
      'process/start',
      { ...START, envPolicy: { ...POLICY, exclude: null } },
      'invalid type: null, expected a sequence',
    ],
    ['process/read', { processId: 'p', afterSeq: -1 }, 'invalid number'],
    ['process/read', { processId: 'p', maxBytes: 1.5 }, 'invalid number'],
    ['process/read', { processId: 'p', waitMs: 2 ** 65 }, 'invalid number'],
    ['process/read', { processId: 'p', waitMs: Infinity }, 'invalid number'],
    ['process/read', { processId: 'p', afterSeq: 'x' }, 'invalid type: string "x", expected u64'],
    ['process/read', { processId: 'p', maxBytes: true }, 'invalid type: boolean `true`, expected usize'],
    ['process/read', { processId: 'p', waitMs: {} }, 'invalid type: map, expected u64'],
    ['fs/readBlock', { handleId: 'h', offset: 'x', len: 1 }, 'invalid type: string "x", expected u64'],
    ['fs/readBlock', { handleId: 'h', offset: 0, len: 'x' }, 'invalid type: string "x", expected usize'],
    ['fs/walk', { path: 'file:///x' }, 'missing field `options`'],
    ['fs/walk', { path: 'file:///x', options: 5 }, 'invalid type: number, expected struct WalkOptions'],
    ['fs/walk', { path: 'file:///x', options: { maxDepth: 1 } }, 'missing field `maxDirectories`'],
    [
      'fs/walk',
      { path: 'file:///x', options: { ...WALK, maxDepth: 'x' } },
      'invalid type: string "x", expected usize',
    ],
    [
      'fs/open',
      { handleId: 'h', path: 'file:///x', mode: 'term' },
      'unknown variant `term`, expected `read` or `replace`',
    ],
    [
      'fs/open',
      { handleId: 'h', path: 'file:///x', mode: {} },
      'invalid value: map, expected map with a single key',
    ],
    [
      'fs/open',
      { handleId: 'h', path: 'file:///x', mode: { a: 1 } },
      'unknown variant `a`, expected `read` or `replace`',
    ],
    ['http/request', { ...GET, redirectPolicy: '' }, 'unknown variant ``, expected `follow` or `stop`'],
    ['http/request', { ...GET, headers: null }, 'invalid type: null, expected a sequence'],
    ['http/request', { ...GET, headers: [{ name: 'a' }] }, 'missing field `value`'],
    ['http/request', { ...GET, headers: [1] }, 'invalid type: number, expected struct HttpHeader'],
    ['http/request', { ...GET, timeoutMs: 'x' }, 'invalid type: string "x", expected u64'],
    ['initialize', { clientName: null }, 'invalid type: null, expected a string'],
    ['initialize', { clientName: 'x', resumeSessionId: 5 }, 'invalid type: number, expected a string'],
  ] as const;
  for (const [method, params, fault] of faults) {
    it(`says of ${JSON.stringify(params)} for ${method} what the real server says`, () => {
      assertFault(method, params, fault);
    });
  }

  it('looks at the members in the order in which they were sent, and then for those that were not', () => {
    const refused = (text: string, fault: string) => assertFault('process/start', parse(text), fault);
    refused('{"argv":5}', 'invalid type: number, expected a sequence');
    refused('{"tty":5,"argv":5}', 'invalid type: number, expected a boolean');
    refused('{"argv":5,"tty":"x"}', 'invalid type: number, expected a sequence');
    refused('{"processId":"q"}', 'missing field `argv`');
    refused('{"processId":"q","tty":false,"argv":[]}', 'missing field `cwd`');
    refused('{"processId":"q","argv":["a"],"cwd":"file:///x","env":{}}', 'missing field `tty`');
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
          assert.notEqual(error.message, 'invalid value', `${method} ${JSON.stringify(value)}`);
        }
      }
    }
  });
});
