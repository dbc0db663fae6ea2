import assert from 'node:assert/strict';
import { portsInText } from '../../../src/terminal/portsInText.js';

describe('the ports in an output', () => {
  it('are found as servers print them, the latest first', () => {
    const text = [
      'Serving HTTP on 0.0.0.0 port 8000 (http://0.0.0.0:8000/) ...',
      '  ➜  Local:   http://localhost:5173/',
      'listening on [::1]:3000',
      'Server running, port: 4711',
    ].join('\n');
    assert.deepEqual(portsInText(text), [4711, 3000, 5173, 8000]);
  });

  it('are not times, positions or versions', () => {
    for (const text of ['12:34:56', 'a.ts:1234:56', 'at 10:30', 'v1.2:99999', 'port 70000']) {
      assert.deepEqual(portsInText(text), [], text);
    }
  });

  it('are limited in number', () => {
    const text = Array.from({ length: 100 }, (_, index) => `:x:${2_000 + index}`).join('\n');
    assert.equal(portsInText(text).length, 20);
  });
});
