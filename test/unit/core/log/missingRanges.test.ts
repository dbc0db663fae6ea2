import assert from 'node:assert/strict';

import { MissingRanges } from '../../../../src/core/log/missingRanges.js';

function ranges(...sizes: readonly (number | undefined)[]): MissingRanges {
  const missing = new MissingRanges();
  sizes.forEach((bytes, index) => {
    const fromSeq = 1 + 4 * index;
    missing.add({ fromSeq, throughSeq: fromSeq + 1, chunks: 2, ...(bytes !== undefined && { bytes }) });
  });
  return missing;
}

describe('Missing ranges', () => {
  it('are found by any number within them', () => {
    const missing = ranges(10, 20, 30);
    const found = (afterSeq: number, throughSeq: number) =>
      missing.within(afterSeq, throughSeq).map(({ bytes }) => bytes);
    assert.deepEqual(found(0, 12), [10, 20, 30]);
    assert.deepEqual(found(1, 5), [10, 20]);
    assert.deepEqual(found(2, 4), []);
    assert.deepEqual(found(5, 8), [20]);
  });

  it('have a common size if each is whole and its size is known', () => {
    const missing = ranges(10, 20, undefined, 40);
    assert.equal(missing.bytesWithin(0, 8), 30);
    assert.equal(missing.bytesWithin(2, 4), 0);
    assert.equal(missing.bytesWithin(1, 8), undefined, 'a part of the first');
    assert.equal(missing.bytesWithin(0, 5), undefined, 'a part of the second');
    assert.equal(missing.bytesWithin(2, 16), undefined, 'one of no known size');
    assert.equal(missing.bytesWithin(11, 16), 40);
  });

  it('are all counted, and of the newest thousand each is known', () => {
    const missing = ranges(...Array.from({ length: 1_002 }, () => 1));
    const last = 4 * 1_002;
    assert.deepEqual(missing.total, { chunks: 2_004, bytes: 1_002 });
    assert.equal(missing.within(0, last).length, 1_000);
    assert.equal(missing.bytesWithin(0, last), undefined);
    assert.equal(missing.bytesWithin(5, last), undefined, 'half of the last that is forgotten');
    assert.equal(missing.bytesWithin(6, last), 1_000);
  });
});
