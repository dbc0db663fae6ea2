import assert from 'node:assert/strict';

import { Heartbeat, type Signs } from '../../../src/protocol/transport/heartbeat.js';
import { FakeClock } from '../../support/fakeClock.js';

function setUp() {
  const clock = new FakeClock();
  const events: string[] = [];
  let signs: Signs = { received: 0, handed: 0, waiting: 0 };
  const heartbeat = new Heartbeat(
    clock,
    { pingIntervalMs: 30, deadAfterMs: 10 },
    {
      ask: () => events.push(`asked at ${clock.now()}`),
      signs: () => signs,
      dead: () => events.push(`dead at ${clock.now()}`),
    },
  );
  const see = (change: Partial<Signs>) => (signs = { ...signs, ...change });
  return { clock, events, heartbeat, see };
}

describe('Heartbeat', () => {
  it('takes one for dead that does not answer', () => {
    const { clock, events } = setUp();
    clock.advance(1_000);
    assert.deepEqual(events, ['asked at 30', 'dead at 40']);
    assert.equal(clock.pendingTimers, 0);
  });

  it('asks again and again while there are answers', () => {
    const { clock, events, heartbeat } = setUp();
    for (let round = 0; round < 5; round++) {
      clock.advance(35);
      heartbeat.alive();
      clock.advance(5);
    }
    assert.deepEqual(
      events,
      [30, 70, 110, 150, 190].map((time) => `asked at ${time}`),
    );
    clock.advance(1_000);
    assert.deepEqual(events.slice(5), ['asked at 230', 'dead at 240']);
  });

  it('does not take an answer from before for one to the question', () => {
    const { clock, events, heartbeat } = setUp();
    clock.advance(29);
    heartbeat.alive();
    clock.advance(11);
    assert.deepEqual(events, ['asked at 30', 'dead at 40']);
  });

  it('takes any byte that comes for a sign of life', () => {
    const { clock, events, see } = setUp();
    clock.advance(30);
    see({ received: 1 });
    clock.advance(10);
    assert.deepEqual(events, ['asked at 30']);
    clock.advance(40);
    assert.deepEqual(events, ['asked at 30', 'asked at 70', 'dead at 80']);
  });

  it('takes it for a sign of life that what had to wait goes on, but not that little goes somewhere', () => {
    for (const [waiting, dead] of [
      [1_000, false],
      [0, true],
    ] as const) {
      const { clock, events, see } = setUp();
      see({ waiting, handed: 5 });
      clock.advance(30);
      see({ handed: 6 });
      clock.advance(10);
      assert.equal(events.includes('dead at 40'), dead);
    }
  });

  it('takes one for dead that takes nothing of what waits', () => {
    const { clock, events, see } = setUp();
    see({ waiting: 1_000, handed: 5 });
    clock.advance(30);
    see({ waiting: 2_000 });
    clock.advance(10);
    assert.deepEqual(events, ['asked at 30', 'dead at 40']);
  });

  it('asks no more when it is over', () => {
    const { clock, events, heartbeat } = setUp();
    heartbeat.dispose();
    clock.advance(1_000);
    assert.deepEqual(events, []);
    const other = setUp();
    other.clock.advance(30);
    other.heartbeat.dispose();
    other.clock.advance(1_000);
    assert.deepEqual(other.events, ['asked at 30']);
  });
});
