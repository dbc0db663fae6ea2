import assert from 'node:assert/strict';

import fc from 'fast-check';

import { OutputTimes } from '../../../../src/core/index.js';

describe('the times of output', () => {
  it('are known to a tenth of a second', () => {
    const times = new OutputTimes();
    times.note(1, 1_000);
    times.note(2, 1_050);
    times.note(3, 2_000);
    assert.deepEqual(
      [1_000, 1_001, 1_051, 2_000, 2_001].map((time) => times.seqBefore(time)),
      [0, 1, 1, 1, 3],
    );
  });

  it('take no output for older than it is, and forget little of a day', () => {
    const times = new OutputTimes();
    const DAY_S = 24 * 60 * 60;
    for (let second = 1; second <= DAY_S; second++) {
      times.note(second, second * 1_000);
    }
    for (let second = 1; second <= DAY_S; second += 997) {
      const before = times.seqBefore(second * 1_000);
      assert.ok(before < second && before >= second - 300, `${second}: ${before}`);
    }
    assert.equal(times.seqBefore(DAY_S * 1_000 + 1), DAY_S);
  });

  it('stand still while the clock is set back', () => {
    const times = new OutputTimes();
    times.note(1, 5_000);
    times.note(2, 1_000);
    assert.equal(times.seqBefore(5_000), 0);
    assert.equal(times.seqBefore(5_001), 2);
  });

  it('give for each time a number that came before it, however output comes @property', () => {
    fc.assert(
      fc.property(
        fc.array(fc.nat({ max: 10_000 }), { minLength: 1, maxLength: 3_000 }),
        fc.nat({ max: 10_000_000 }),
        (steps, asked) => {
          const times = new OutputTimes();
          let now = 0;
          const came = steps.map((step) => (now += step));
          came.forEach((time, index) => times.note(index + 1, time));
          const seq = times.seqBefore(asked);
          assert.ok(seq === 0 || (came[seq - 1] ?? asked) < asked);
          assert.equal(times.seqBefore(now + 1), came.length);
        },
      ),
    );
  });
});
