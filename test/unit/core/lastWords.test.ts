import assert from 'node:assert/strict';

import { LastWords } from '../../../src/core/index.js';

describe('The last words of a client', () => {
  it('are what it said last of each key', () => {
    const words = LastWords.none
      .and({ a: 1, b: 1, at: null }, { patch: { a: null, b: 2 }, timeKey: 'at' })
      .and({ b: 3 })
      .and({ c: 4 }, { patch: { c: 5 } });
    assert.deepEqual(words.patchAt(1_000), { a: null, at: 1_000, c: 5 });
  });

  it('are taken back by what it says again when it is back', () => {
    const words = LastWords.none.and({ a: 1, at: null }, { patch: { a: 2, more: 3 }, timeKey: 'at' });
    const { patch, whenGone } = words.again();
    assert.deepEqual(patch, { a: 1, at: null, more: null });
    assert.deepEqual(LastWords.none.and(patch, whenGone).patchAt(5), words.patchAt(5));
  });

  it('are none after a description without any', () => {
    assert.equal(LastWords.none.and({ a: 1 }).isEmpty, true);
    assert.equal(LastWords.none.and({ a: 1 }, { patch: { a: 2 } }).and({ a: 3 }).isEmpty, true);
  });
});
