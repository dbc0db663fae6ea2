import assert from 'node:assert/strict';

import { SIGN_OF_LIFE_MS } from '../../../src/remote/limits.js';
import { silentAfterMs, SilenceWatch } from '../../../src/remote/session/silenceWatch.js';
import { FakeClock } from '../../support/fakeClock.js';

function watched() {
  const clock = new FakeClock();
  const signs = { received: 0, handed: 0, waiting: 0 };
  const told: string[] = [];
  const watch = new SilenceWatch(clock, SIGN_OF_LIFE_MS, {
    signs: () => ({ ...signs }),
    ask: () => told.push('ask'),
    silent: () => told.push('silent'),
    heard: () => told.push('heard'),
  });
  return { clock, signs, told, watch };
}

const LIMIT_MS = 15_000;
const SECOND_MS = 1_000;

describe('A line without pings of its own', () => {
  it('is noticed to be silent within 15 s, and not before 12, in every phase', () => {
    assert.equal(silentAfterMs(SIGN_OF_LIFE_MS), 12_000);
    for (let lastSignAt = 0; lastSignAt <= 2 * SIGN_OF_LIFE_MS; lastSignAt += 50) {
      const { clock, signs, told } = watched();
      for (let at = 0; at < lastSignAt; at += SIGN_OF_LIFE_MS) {
        clock.advance(Math.min(SIGN_OF_LIFE_MS, lastSignAt - at));
        signs.received += 1;
      }
      clock.advance(silentAfterMs(SIGN_OF_LIFE_MS) - 1);
      assert.ok(!told.includes('silent'), `too early after a sign at ${lastSignAt} ms`);
      clock.advance(LIMIT_MS - silentAfterMs(SIGN_OF_LIFE_MS));
      assert.ok(told.includes('silent'), `too late after a sign at ${lastSignAt} ms`);
    }
  });

  it('is asked for a sign of life twice before, and again as long as it is silent', () => {
    const { clock, told } = watched();
    clock.advance(12_000);
    assert.deepEqual(told, ['ask', 'ask', 'silent']);
    clock.advance(8_000);
    assert.deepEqual(told, ['ask', 'ask', 'silent', 'ask', 'ask']);
  });

  it('is not silent while it takes what waits for it, however slowly', () => {
    const { clock, signs, told } = watched();
    signs.waiting = 1;
    for (let second = 0; second < 60; second += 3) {
      clock.advance(3 * SECOND_MS);
      signs.handed += 1;
    }
    assert.deepEqual(told, []);
  });

  it('is silent although the system has taken a few bytes for it', () => {
    const { clock, signs, told } = watched();
    for (let second = 0; second < 12; second += 1) {
      // For example by a question: nothing waits any more, so nothing had to be taken.
      signs.handed += 100;
      clock.advance(SECOND_MS);
    }
    assert.equal(told.at(-1), 'silent');
  });

  it('is silent although something waits for it that it does not take', () => {
    const { clock, signs, told } = watched();
    signs.waiting = 1_000_000;
    clock.advance(12_000);
    assert.equal(told.at(-1), 'silent');
  });

  it('is heard again once, at its first byte, and can fall silent again', () => {
    const { clock, signs, told } = watched();
    clock.advance(12_000);
    signs.received += 1;
    clock.advance(SECOND_MS);
    signs.received += 1;
    clock.advance(SECOND_MS);
    assert.deepEqual(told, ['ask', 'ask', 'silent', 'heard']);
    clock.advance(12_000);
    assert.deepEqual(told.slice(4), ['ask', 'ask', 'silent']);
  });

  it('is not to blame for a time in which this program was stopped', () => {
    const clock = new FakeClock();
    const told: string[] = [];
    const timers: (() => void)[] = [];
    const stopped = {
      now: () => clock.now(),
      wallTime: () => clock.wallTime(),
      after: (_: number, run: () => void) => {
        timers.push(run);
        return { dispose: () => undefined };
      },
    };
    const line = { ask: () => undefined, silent: () => told.push('silent'), heard: () => undefined };
    new SilenceWatch(stopped, SIGN_OF_LIFE_MS, {
      ...line,
      signs: () => ({ received: 0, handed: 0, waiting: 0 }),
    });
    clock.advance(3_600_000);
    timers.shift()?.();
    assert.deepEqual([told, timers.length], [[], 1]);
  });

  it('is not watched any more after its end', () => {
    const { clock, told, watch } = watched();
    watch.dispose();
    clock.advance(60_000);
    assert.deepEqual([told, clock.pendingTimers], [[], 0]);
  });
});
