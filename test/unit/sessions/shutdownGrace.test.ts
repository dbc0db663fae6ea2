import assert from 'node:assert/strict';

import type { StopStep } from '../../../src/core/index.js';
import { TERMINAL_LADDER } from '../../../src/local/stop/posixSession.js';
import { climbStopLadder, type Member, type StopTarget } from '../../../src/local/stop/stopLadder.js';
import { SHUTDOWN_GRACE_MS } from '../../../src/sessions/options/index.js';
import { FakeClock } from '../../support/fakeClock.js';

const turn = () => new Promise((resolve) => setImmediate(resolve));

describe('The graces of a shutdown', () => {
  it('lead a session that ends by nothing through all steps, in their order, within two seconds', async () => {
    const clock = new FakeClock();
    const immortal: Member = { pid: 1, pgid: 1, startTime: '1', command: 'immortal' };
    const taken: StopStep[] = [];
    const target: StopTarget = {
      hasExited: () => false,
      look: () => Promise.resolve({ members: [immortal], outside: [], isAlive: () => true }),
      send: (step) => {
        if (taken.at(-1) !== step) taken.push(step);
        return Promise.resolve();
      },
    };
    const climb = climbStopLadder(target, TERMINAL_LADDER, clock, { graceMs: SHUTDOWN_GRACE_MS });
    // With no grace left there are no more timers.
    for (await turn(); clock.pendingTimers > 0; await turn()) clock.advance(1);
    assert.deepEqual(taken, ['interrupt', 'hangup', 'terminate', 'kill']);
    assert.deepEqual((await climb).steps, taken);
    assert.ok(clock.now() < 2_000, `${clock.now()} ms`);
  });
});
