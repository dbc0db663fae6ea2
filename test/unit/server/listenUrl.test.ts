import assert from 'node:assert/strict';

import { isLoopback, parseListenUrl, webSocketUrl } from '../../../src/server/listen/listenUrl.js';

describe('A listen URL', () => {
  it('is read', () => {
    assert.deepEqual(parseListenUrl('ws://127.0.0.1:0'), { kind: 'websocket', host: '127.0.0.1', port: 0 });
    assert.deepEqual(parseListenUrl('ws://[::1]:65535'), { kind: 'websocket', host: '::1', port: 65_535 });
    assert.deepEqual(parseListenUrl('stdio'), { kind: 'stdio' });
    assert.deepEqual(parseListenUrl('stdio://'), { kind: 'stdio' });
    assert.deepEqual(parseListenUrl('unix:/run/x y.sock'), { kind: 'unix', path: '/run/x y.sock' });
  });

  it('is written', () => {
    assert.equal(webSocketUrl('127.0.0.1', 1), 'ws://127.0.0.1:1');
    assert.equal(webSocketUrl('::1', 1), 'ws://[::1]:1');
  });

  for (const [host, expected] of [
    ['127.0.0.1', true],
    ['127.9.8.7', true],
    ['::1', true],
    ['0:0:0:0:0:0:0:1', true],
    ['::ffff:127.0.0.1', true],
    ['0.0.0.0', false],
    ['::', false],
    ['10.0.0.1', false],
    ['::ffff:10.0.0.1', false],
    ['fe80::1', false],
  ] as const) {
    it(`${host} is ${expected ? '' : 'not '}reached from this machine alone`, () => {
      assert.equal(isLoopback(host), expected);
    });
  }
});
