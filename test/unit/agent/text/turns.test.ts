import assert from 'node:assert/strict';

import { type Steps, Turns } from '../../../../src/agent/text/steps.js';

/** A time that only work takes. */
class WorkedTime {
  ms = 0;
  readonly now = () => this.ms;

  *work(steps: number, stepMs: number): Steps {
    for (let step = 0; step < steps; step += 1) {
      this.ms += stepMs;
      yield;
    }
  }
}

/** The longest time for which others could do nothing while the work is done. */
async function longestRound(time: WorkedTime, work: readonly Promise<boolean>[]): Promise<number> {
  let longest = 0;
  let before = time.ms;
  let next = setImmediate(function look() {
    longest = Math.max(longest, time.ms - before);
    before = time.ms;
    next = setImmediate(look);
  });
  await Promise.all(work);
  clearImmediate(next);
  return longest;
}

describe('work in turns', () => {
  it('is done in turns of 8 ms by one alone', async () => {
    const time = new WorkedTime();
    const longest = await longestRound(time, [new Turns(time.now).run(time.work(1_000, 0.25))]);
    assert.ok(longest > 6 && longest <= 8.25, `${longest} ms`);
  });

  it('leaves no longer rounds to others when forty work side by side', async () => {
    const time = new WorkedTime();
    const work = Array.from({ length: 40 }, () => new Turns(time.now).run(time.work(2_000, 0.05)));
    const longest = await longestRound(time, work);
    assert.ok(longest <= 25, `${longest} ms`);
  });

  it('stops when cancelled, and says whether all was done', async () => {
    const time = new WorkedTime();
    assert.equal(await new Turns(time.now).run(time.work(100, 1), () => time.ms >= 50), false);
    assert.equal(time.ms, 50);
    assert.equal(await new Turns(time.now).run(time.work(100, 1)), true);
  });
});
