import assert from 'node:assert/strict';

import {
  atOnce,
  firstOf,
  isAborted,
  meanwhile,
  polled,
  timePasses,
  type Condition,
} from '../../../../src/agent/wait/conditions.js';
import { FakeClock } from '../../../support/fakeClock.js';

const turn = () => new Promise((resolve) => setImmediate(resolve));

describe('The first of several conditions', () => {
  it('ends the others', async () => {
    const clock = new FakeClock();
    const first = firstOf([timePasses(clock, 200, 'late'), timePasses(clock, 100, 'early')]);
    clock.advance(100);
    assert.equal(await first, 'early');
    assert.equal(clock.pendingTimers, 0);
  });

  it('is one that is met while it begins; later ones do not begin', async () => {
    const clock = new FakeClock();
    const notBegun: Condition<string> = () => assert.fail('It began.');
    assert.equal(await firstOf([timePasses(clock, 5, 'time'), atOnce('now'), notBegun]), 'now');
    assert.equal(clock.pendingTimers, 0);
  });

  it('counts once', async () => {
    let disposed = 0;
    const met = await firstOf<string>([
      (report) => {
        report('one');
        report('two');
        return { dispose: () => (disposed += 1) };
      },
    ]);
    assert.deepEqual([met, disposed], ['one', 1]);
  });

  it('can be a signal, before or later', async () => {
    const abort = new AbortController();
    assert.equal(await firstOf([isAborted(AbortSignal.abort(), 'before')]), 'before');
    const later = firstOf([isAborted(abort.signal, 'later')]);
    abort.abort();
    assert.equal(await later, 'later');
  });

  it('can be a question that is asked again and again', async () => {
    const clock = new FakeClock();
    let asked = 0;
    const yes = firstOf([polled(clock, 250, () => Promise.resolve(++asked === 3), 'yes')]);
    while (asked < 3) {
      await turn();
      clock.advance(250);
    }
    assert.equal(await yes, 'yes');
    assert.deepEqual([asked, clock.pendingTimers], [3, 0]);
  });

  it('does not listen to an answer that comes too late', async () => {
    const clock = new FakeClock();
    let answer: (yes: boolean) => void = () => undefined;
    const ask = () => new Promise<boolean>((resolve) => (answer = resolve));
    const ended = firstOf([polled(clock, 250, ask, 'yes'), timePasses(clock, 10, 'time')]);
    clock.advance(10);
    assert.equal(await ended, 'time');
    answer(false);
    await turn();
    assert.equal(clock.pendingTimers, 0);
  });

  it('lets something be done meanwhile', async () => {
    const clock = new FakeClock();
    let times = 0;
    const ended = firstOf<string>([meanwhile(clock, 10, () => (times += 1)), timePasses(clock, 35, 'time')]);
    clock.advance(35);
    assert.equal(await ended, 'time');
    assert.deepEqual([times, clock.pendingTimers], [3, 0]);
  });
});
