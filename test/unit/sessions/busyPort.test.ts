import assert from 'node:assert/strict';
import { busyPortIn } from '../../../src/sessions/words/busyPort.js';

describe('The port that a program could not have', () => {
  it('is found in what programs say', () => {
    for (const [text, port] of [
      ['Error: listen EADDRINUSE: address already in use :::3000\n    at Server.setupListenHandle', 3000],
      [
        "Error: listen EADDRINUSE: address already in use 127.0.0.1:3001 {\n  code: 'EADDRINUSE',\n  errno: -98,\n  port: 3001\n}",
        3001,
      ],
      ['2026/11/25 20:01:02 listen tcp :8080: bind: address already in use\r\nexit status 1\r\n', 8080],
      ['bind(2) for "127.0.0.1" port 3002 (Errno::EADDRINUSE)', 3002],
      ['Port 5173 is already in use', 5173],
      ['Port 3000 is in use, trying another one\nError: Port 3005 is in use', 3005],
    ] as const) {
      assert.equal(busyPortIn(text), port, text);
    }
  });

  it('is not found where a program says something else', () => {
    for (const text of [
      '',
      'listening on :3000',
      'EADDRINUSE',
      'address already in use 127.0.0.1',
      'port 99999 is in use',
      '[Errno 98] Address already in use',
    ]) {
      assert.equal(busyPortIn(text), undefined, text);
    }
  });
});
