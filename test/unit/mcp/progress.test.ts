import assert from 'node:assert/strict';

import { PROGRESS_MS } from '../../../src/mcp/limits.js';
import { ProgressTicker, type Progress } from '../../../src/mcp/progress.js';
import type { Clock } from '../../../src/core/index.js';
import { FakeClock } from '../../support/fakeClock.js';

describe('The progress of a call', () => {
  it('is told soon, then now and then, with the last that was said', () => {
    const clock = new FakeClock();
    const sent: Progress[] = [];
    const ticker = new ProgressTicker(clock, (progress) => sent.push(progress));
    clock.advance(PROGRESS_MS.first - 1);
    assert.deepEqual(sent, []);
    clock.advance(1);
    ticker.say('one');
    ticker.say('two');
    clock.advance(PROGRESS_MS.next - 1);
    assert.deepEqual(sent, [{ progress: 1 }]);
    clock.advance(1);
    clock.advance(PROGRESS_MS.next);
    assert.deepEqual(sent, [
      { progress: 1 },
      { progress: 11, message: 'two' },
      { progress: 21, message: 'two' },
    ]);
    ticker.dispose();
    clock.advance(10 * PROGRESS_MS.next);
    assert.equal(sent.length, 3);
    assert.equal(clock.pendingTimers, 0);
  });

  it('grows even when the clock of the machine is set back', () => {
    const timers = new FakeClock();
    let now = 1_000_000;
    const clock: Clock = { now: () => now, wallTime: () => now, after: (ms, run) => timers.after(ms, run) };
    const sent: number[] = [];
    new ProgressTicker(clock, ({ progress }) => sent.push(progress));
    now += 1_000;
    timers.advance(PROGRESS_MS.first);
    now -= 500_000;
    timers.advance(2 * PROGRESS_MS.next);
    assert.deepEqual(sent, [1, 2, 3]);
  });
});
