import assert from 'node:assert/strict';

import { onSilence } from '../../rig/silence.js';
import { FakeClock } from '../../support/fakeClock.js';

describe('The limit on silence of a stage', () => {
  const LIMIT_MS = 180_000;

  it('is reached once no result has come for so long, and not before', () => {
    const clock = new FakeClock();
    let size = 0;
    let reached = 0;
    onSilence(
      () => size,
      LIMIT_MS,
      () => (reached += 1),
      clock,
    );
    for (let result = 0; result < 10; result += 1) {
      clock.advance(LIMIT_MS - 1_000);
      size += 1;
      clock.advance(1_000);
    }
    assert.equal(reached, 0);
    clock.advance(LIMIT_MS);
    assert.equal(reached, 1);
    assert.equal(clock.pendingTimers, 0);
  });

  it('is not reached after the end of the stage', () => {
    const clock = new FakeClock();
    const watch = onSilence(
      () => 0,
      LIMIT_MS,
      () => assert.fail('The stage is over.'),
      clock,
    );
    watch.dispose();
    clock.advance(2 * LIMIT_MS);
  });
});
