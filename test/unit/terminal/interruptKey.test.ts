import assert from 'node:assert/strict';

import { isInterrupt } from '../../../src/terminal/index.js';

describe('Ctrl-C', () => {
  it('is known in the forms that terminals send, also after other keys', () => {
    for (const typed of ['\u0003', 'x\u0003', '\u0003\u0003', '\u001b[99;5u', '\u001b[27;5;99~']) {
      assert.equal(isInterrupt(typed), true, JSON.stringify(typed));
    }
  });

  it('is not another key, and not part of a paste', () => {
    for (const typed of ['', 'c', '\u0004', '\u001b[99;3u', '\u001b[100;5u', `\u0003${'x'.repeat(32)}`]) {
      assert.equal(isInterrupt(typed), false, JSON.stringify(typed));
    }
  });
});
