import assert from 'node:assert/strict';

import { spanText } from '../../../src/core/index.js';

describe('spanText', () => {
  it('has the largest unit of a time span, and takes a negative one for no time', () => {
    const seconds = [-5, 0, 59.9, 60, 3_599, 3_600, 86_399, 86_400, 200_000];
    assert.deepEqual(
      seconds.map((s) => spanText(s * 1_000)),
      ['0 s', '0 s', '59 s', '1 m', '59 m', '1 h', '23 h', '1 d', '2 d'],
    );
  });
});
