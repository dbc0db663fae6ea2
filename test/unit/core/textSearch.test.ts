import assert from 'node:assert/strict';

import { LineFinder, TextSearch } from '../../../src/core/index.js';

describe('A search in lines', () => {
  const found = (parts: readonly string[], text: string, ignoreCase = true) => {
    const finder = new LineFinder(new TextSearch(text, ignoreCase));
    return [...parts.flatMap((part) => finder.take(part)), ...finder.end()];
  };

  it('finds lines by their numbers and columns, however the text is parted', () => {
    const text = 'one\nready on port\n\nnot Ready';
    const wanted = [
      { number: 1, line: 'ready on port', column: 0 },
      { number: 3, line: 'not Ready', column: 4 },
    ];
    for (let size = 1; size <= text.length; size += 1) {
      const parts = text.match(new RegExp(`[^]{1,${size}}`, 'g')) ?? [];
      assert.deepEqual(found(parts, 'ready'), wanted, `parts of ${size}`);
    }
    assert.deepEqual(
      found([text], 'Ready', false).map(({ number }) => number),
      [3],
    );
  });

  it('takes the text literally', () => {
    assert.deepEqual(found(['a.c\nabc\n$(x) [y] {z} \\'], 'a.c').length, 1);
    assert.deepEqual(found(['$(x) [y] {z} \\ | ^'], '$(x) [y] {z} \\ | ^').length, 1);
  });

  it('shows a line cleaned, and a long one around the match', () => {
    const search = new TextSearch('boom', true);
    assert.equal(search.shown('a \u202eboom\u0007', 100), 'a boom');
    const long = search.shown(`${'x'.repeat(1_000_000)}BOOM${'y'.repeat(1_000_000)}`, 60);
    assert.match(long, /^\[…\] x+BOOMy+ \[…\]$/);
    assert.ok(long.length < 80);
  });
});
