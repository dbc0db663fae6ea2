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
      ['nginx: [emerg] bind() to 0.0.0.0:80 failed (98: Address already in use)', 80],
      ['(98)Address already in use: AH00072: make_sock: could not bind to address [::]:8080', 8080],
      [
        "[Errno 48] error while attempting to bind on address ('127.0.0.1', 8000): address already in use",
        8000,
      ],
      ['[10:15:30] listen EADDRINUSE: address already in use 0.0.0.0:4000', 4000],
      ['4000: address already in use at 10:15', 4000],
      ['listen tcp :98: bind: address already in use', 98],
    ] as const) {
      assert.deepEqual(busyPortIn(text), { port }, text);
    }
  });

  it('is not named by times, dates, places in files and the number of the error', () => {
    for (const text of [
      'EADDRINUSE',
      'address already in use 127.0.0.1',
      'port 99999 is in use',
      '[Errno 98] Address already in use',
      '12:34:56 bind: address already in use',
      '12:34:56.789 bind: address already in use',
      '[10:15:30] EADDRINUSE',
      '[10:15] EADDRINUSE',
      '2026-11-25T20:01:02.345Z ERROR address already in use',
      '2026/11/25 20:01:02 bind: address already in use',
      '25.11.2026 20:01:02,123 bind: address already in use',
      '20:01:02 main.go:42: bind: address already in use',
      'Address already in use (os error 98)',
      'code: 10048, EADDRINUSE',
    ]) {
      assert.deepEqual(busyPortIn(text), { port: undefined }, text);
    }
  });

  it('is not found where a program says something else, or goes on with another port', () => {
    for (const text of [
      '',
      'listening on :3000',
      'Port 5173 is in use, trying another one...',
      'Port 3000 is in use, using available port 3001 instead.',
      'address already in use :3000, trying next port',
    ]) {
      assert.equal(busyPortIn(text), undefined, text);
    }
  });
});
