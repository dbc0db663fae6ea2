import assert from 'node:assert/strict';

import { Pace } from '../../../../src/local/child/pace.js';
import { FakeClock } from '../../../support/fakeClock.js';

const REST = 10;

describe('The pace at which a child is read', () => {
  let clock: FakeClock;
  let reading: boolean;
  let pace: Pace;
  const output = { pause: () => (reading = false), resume: () => (reading = true) };

  beforeEach(() => {
    clock = new FakeClock();
    reading = true;
    pace = new Pace([output], REST, clock);
    pace.setAwaited(false);
  });

  const readTwice = () => {
    pace.hasRead();
    clock.advance(1);
    pace.hasRead();
  };

  it('is that of the program if somebody waits', () => {
    pace.setAwaited(true);
    readTwice();
    assert.equal(reading, true);
    assert.equal(clock.pendingTimers, 0);
  });

  it('is that of a program that prints now and then', () => {
    for (let line = 0; line < 5; line += 1) {
      pace.hasRead();
      assert.equal(reading, true);
      clock.advance(2 * REST);
    }
    assert.equal(clock.pendingTimers, 0);
  });

  it('has a rest between two reads of a busy program', () => {
    readTwice();
    for (let round = 0; round < 5; round += 1) {
      assert.equal(reading, false);
      clock.advance(REST - 1);
      assert.equal(reading, false);
      clock.advance(1);
      assert.equal(reading, true);
      pace.hasRead();
    }
  });

  it('is that of the program again as soon as somebody waits', () => {
    readTwice();
    pace.setAwaited(true);
    assert.equal(reading, true);
    assert.equal(clock.pendingTimers, 0);
  });

  it('has no rest while all is read that is left of an ended program', () => {
    readTwice();
    pace.setDraining(true);
    assert.equal(reading, true);
    readTwice();
    assert.equal(reading, true);
    pace.setDraining(false);
    readTwice();
    assert.equal(reading, false);
  });

  it('lets other readers read first, unless one waits or the program is held back', () => {
    assert.equal(pace.unattended, true);
    readTwice();
    assert.equal(pace.unattended, true);
    pace.setHeld(true);
    assert.equal(pace.unattended, false);
    pace.setHeld(false);
    pace.setAwaited(true);
    assert.equal(pace.unattended, false);
    pace.setAwaited(false);
    pace.end();
    assert.equal(pace.unattended, false);
  });

  it('does not count while the program is held back', () => {
    readTwice();
    pace.setHeld(true);
    clock.advance(REST);
    assert.equal(reading, false);
    pace.setAwaited(true);
    assert.equal(reading, false);
    pace.setHeld(false);
    assert.equal(reading, true);
  });

  it('ends with the program', () => {
    readTwice();
    pace.end();
    assert.equal(clock.pendingTimers, 0);
    readTwice();
    assert.equal(clock.pendingTimers, 0);
  });
});
