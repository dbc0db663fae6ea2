import assert from 'node:assert/strict';

import { LastWords } from '../../../../src/core/index.js';

describe('The last words of a client', () => {
  const said = (words: LastWords, time: number) =>
    Object.assign({}, ...words.at(time).map(({ patch }) => patch)) as unknown;

  it('are the latest values of each key', () => {
    const words = LastWords.none
      .and({ a: 1, b: 1, at: null }, { whenGone: { patch: { a: null, b: 2 }, timeKey: 'at' } })
      .and({ b: 3 })
      .and({ c: 4 }, { whenGone: { patch: { c: 5 } } });
    assert.deepEqual(said(words, 1_000), { a: null, at: 1_000, c: 5 });
  });

  it('are taken back when the client returns and sets the same keys under the same condition', () => {
    const provided = { owner: 1 };
    const whenGone = { patch: { a: 2, more: 3 }, timeKey: 'at' };
    const words = LastWords.none.and({ a: 1, at: null }, { whenGone, provided });
    const again = words.again();
    assert.deepEqual(
      again.map(({ patch }) => patch),
      [{ a: 1 }, { more: null }, { at: null }],
    );
    let next = LastWords.none;
    again.forEach(({ patch, options }) => (next = next.and(patch, options)));
    assert.deepEqual(next.at(5), words.at(5));
    assert.ok(next.at(5).every(({ options }) => options.provided === provided));
  });

  it('are empty after a description without keys', () => {
    assert.equal(LastWords.none.and({ a: 1 }).isEmpty, true);
    const words = LastWords.none.and({ a: 1 }, { whenGone: { patch: { a: 2 } } });
    assert.equal(words.and({ a: 3 }).isEmpty, true);
  });
});
