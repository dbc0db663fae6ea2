import assert from 'node:assert/strict';

import { DEAD_AFTER_MS, PING_INTERVAL_MS } from '../../../src/protocol/limits.js';
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
  it('takes a peer for dead that does not answer', () => {
    const { clock, events } = setUp();
    clock.advance(1_000);
    assert.deepEqual(events, ['asked at 30', 'dead at 40']);
    assert.equal(clock.pendingTimers, 0);
  });

  it('asks again and again while there are answers', () => {
    const { clock, events, heartbeat } = setUp();
    for (let round = 0; round < 5; round++) {
      clock.advance(30);
      heartbeat.alive();
    }
    assert.deepEqual(
      events,
      [30, 60, 90, 120, 150].map((time) => `asked at ${time}`),
    );
    clock.advance(1_000);
    assert.deepEqual(events.slice(5), ['asked at 180', 'dead at 190']);
  });

  it('does not take an earlier answer for one to its question', () => {
    const { clock, events, heartbeat } = setUp();
    clock.advance(29);
    heartbeat.alive();
    clock.advance(11);
    assert.deepEqual(events, ['asked at 30', 'dead at 40']);
  });

  it('does not take a peer for dead because this side has stood still', () => {
    const { clock, events, heartbeat } = setUp();
    clock.advance(30);
    // The answer has come meanwhile, and is read now.
    clock.stall(1_000);
    heartbeat.alive();
    clock.advance(10);
    assert.deepEqual(events, ['asked at 30']);
    clock.advance(1_000);
    assert.equal(events.filter((event) => event.startsWith('dead')).length, 1);
  });

  it('takes any byte that comes for a sign of life', () => {
    const { clock, events, see } = setUp();
    clock.advance(30);
    see({ received: 1 });
    clock.advance(10);
    assert.deepEqual(events, ['asked at 30']);
    clock.advance(30);
    assert.deepEqual(events, ['asked at 30', 'asked at 60', 'dead at 70']);
  });

  it('takes progress for a sign of life only while data is waiting', () => {
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

  it('takes a peer for dead that accepts none of the waiting data', () => {
    const { clock, events, see } = setUp();
    see({ waiting: 1_000, handed: 5 });
    clock.advance(30);
    see({ waiting: 2_000 });
    clock.advance(10);
    assert.deepEqual(events, ['asked at 30', 'dead at 40']);
  });

  it('notices a silence within 30 seconds, in whatever moment it begins', () => {
    const limits = { pingIntervalMs: PING_INTERVAL_MS, deadAfterMs: DEAD_AFTER_MS };
    // The signs of life of the other side: only its answers to pings, 40 ms after them, or bytes all the time.
    for (const shows of ['answers', 'bytes'] as const) {
      const silences = [];
      for (let silentFrom = 0; silentFrom <= 2 * PING_INTERVAL_MS; silentFrom += 500) {
        const clock = new FakeClock();
        let [lastSign, received, died] = [0, 0, false];
        const sign = (show: () => void) => {
          if (clock.now() <= silentFrom) {
            lastSign = clock.now();
            show();
          }
        };
        const heartbeat = new Heartbeat(clock, limits, {
          ask: () => {
            if (shows === 'answers') {
              clock.after(40, () => sign(() => heartbeat.alive()));
            }
          },
          signs: () => ({ received, handed: 0, waiting: 0 }),
          dead: () => (died = true),
        });
        while (!died) {
          clock.advance(20);
          if (shows === 'bytes') {
            sign(() => (received += 1));
          }
        }
        silences.push(clock.now() - lastSign);
      }
      assert.ok(Math.max(...silences) <= 30_000, String(Math.max(...silences)));
      assert.ok(Math.min(...silences) >= DEAD_AFTER_MS, String(Math.min(...silences)));
    }
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
