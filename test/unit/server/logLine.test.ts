import assert from 'node:assert/strict';

import { logLine } from '../../../src/server/logLine.js';

describe('A line of the server’s log', () => {
  it('stays one line, whatever a program is called', () => {
    assert.equal(
      logLine('sh\nRefused a connection.\r\u2028\u0085\u001b[2J\u202ex could not be stopped: no'),
      'sh Refused a connection. [2J x could not be stopped: no',
    );
  });

  it('leaves words of all languages as they are', () => {
    assert.equal(logLine('Größe 大小 😀 could not be stopped'), 'Größe 大小 😀 could not be stopped');
  });

  it('has a bound, and no half of a character at it', () => {
    const line = logLine('😀'.repeat(100_000));
    assert.ok(line.length < 5_000);
    assert.match(line, /^(?:😀)+…$/u);
  });
});
