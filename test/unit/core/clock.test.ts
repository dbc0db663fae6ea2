import assert from 'node:assert/strict';

import { Alarm } from '../../../src/core/index.js';
import { FakeClock } from '../../support/fakeClock.js';

describe('An alarm', () => {
  let clock: FakeClock;
  let alarm: Alarm;
  let seen: string[];
  beforeEach(() => {
    clock = new FakeClock();
    alarm = new Alarm(clock);
    seen = [];
  });

  const say = (text: string) => () => seen.push(text);

  it('goes off once, when its time is over', () => {
    alarm.set(10, say('now'));
    clock.advance(9);
    assert.deepEqual([seen, clock.pendingTimers], [[], 1]);
    clock.advance(1);
    clock.advance(10);
    assert.deepEqual([seen, clock.pendingTimers], [['now'], 0]);
  });

  it('forgets its earlier time', () => {
    alarm.set(10, say('first'));
    alarm.set(20, say('second'));
    clock.advance(20);
    assert.deepEqual(seen, ['second']);
  });

  it('keeps its time when it is set only if not yet set', () => {
    alarm.setUnlessSet(10, say('first'));
    clock.advance(5);
    alarm.setUnlessSet(10, say('second'));
    clock.advance(5);
    assert.deepEqual([seen, clock.pendingTimers], [['first'], 0]);
    alarm.setUnlessSet(10, say('third'));
    clock.advance(10);
    assert.deepEqual(seen, ['first', 'third']);
  });

  it('can be set by what it runs', () => {
    alarm.set(10, () => alarm.set(10, say('again')));
    clock.advance(10);
    assert.equal(clock.pendingTimers, 1);
    clock.advance(10);
    assert.deepEqual(seen, ['again']);
  });

  it('can be taken back, and set again', () => {
    alarm.set(10, say('never'));
    alarm.dispose();
    assert.equal(clock.pendingTimers, 0);
    alarm.set(10, say('later'));
    clock.advance(10);
    assert.deepEqual(seen, ['later']);
  });
});
