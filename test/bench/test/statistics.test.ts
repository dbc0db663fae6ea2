import assert from 'node:assert/strict';
import fc from 'fast-check';

import { quantile, spreadOf, statisticOf, verdictOf } from '../statistics.js';

const samples = fc.array(fc.double({ min: 0.001, max: 1000, noNaN: true }), { minLength: 1, maxLength: 60 });

describe('the statistics of the benchmark', () => {
  it('has the middle and the worst of known samples', () => {
    const hundred = Array.from({ length: 101 }, (_, index) => index);
    assert.equal(statisticOf(hundred, 'p50'), 50);
    assert.equal(statisticOf(hundred, 'p99'), 99);
    assert.equal(quantile([4, 1, 3, 2], 0.5), 2.5);
    assert.throws(() => quantile([], 0.5), /no sample/);
  });

  it('has the median between the confidence bounds, and those between the extremes @property', () => {
    fc.assert(
      fc.property(samples, (rounds) => {
        const { min, low, median, high, max } = spreadOf(rounds);
        assert.ok(min <= low && low <= median && median <= high && high <= max);
        assert.ok(rounds.includes(low) && rounds.includes(high));
      }),
    );
  });

  it('takes the ranks that tables of the sign test have', () => {
    const ranks = (count: number): readonly number[] => {
      const { low, high } = spreadOf(Array.from({ length: count }, (_, index) => index + 1));
      return [low, high];
    };
    // Ranks for 95 % of a distribution-free interval of the median, from any such table.
    assert.deepEqual(ranks(5), [1, 5]);
    assert.deepEqual(ranks(6), [1, 6]);
    assert.deepEqual(ranks(9), [2, 8]);
    assert.deepEqual(ranks(10), [2, 9]);
    assert.deepEqual(ranks(15), [4, 12]);
    assert.deepEqual(ranks(25), [8, 18]);
    assert.deepEqual(ranks(50), [18, 33]);
  });

  it('says that a goal is met or missed only when the whole interval is on one side', () => {
    const of = (low: number, high: number) => ({ low, high });
    assert.equal(verdictOf(of(0.8, 0.9), { atLeast: 0.8 }), 'met');
    assert.equal(verdictOf(of(0.7, 0.9), { atLeast: 0.8 }), 'noise');
    assert.equal(verdictOf(of(0.7, 0.79), { atLeast: 0.8 }), 'missed');
    assert.equal(verdictOf(of(1.1, 1.3), { atMost: 1.3 }), 'met');
    assert.equal(verdictOf(of(1.1, 1.4), { atMost: 1.3 }), 'noise');
    assert.equal(verdictOf(of(1.31, 1.4), { atMost: 1.3 }), 'missed');
    assert.throws(() => verdictOf(of(1, 2), {}), /bound/);
  });
});
