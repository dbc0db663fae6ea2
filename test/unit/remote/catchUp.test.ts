import assert from 'node:assert/strict';

import { CatchUp } from '../../../src/remote/log/catchUp.js';
import { FIRST_REFUSED_MS, HOLE_ATTEMPTS, HOLE_MS, LAST_REFUSED_MS } from '../../../src/remote/limits.js';
import { FakeClock } from '../../support/fakeClock.js';

function setUp() {
  const clock = new FakeClock();
  const log = { lastSeq: 0, hasHole: false, readings: 0, givenUp: 0 };
  const catchUp = new CatchUp(
    {
      get lastSeq() {
        return log.lastSeq;
      },
      get hasHole() {
        return log.hasHole;
      },
      read: () => (log.readings += 1),
      giveUp: () => {
        log.givenUp += 1;
        log.hasHole = false;
      },
    },
    clock,
  );
  /** The server tells an event by itself: the next one, or one after a missing number. */
  const tell = (behindHole: boolean) => {
    log.hasHole = behindHole;
    catchUp.told();
  };
  return { clock, log, catchUp, tell };
}

describe('Catching up with a server', () => {
  it('reads at once after a resume, and not for what comes in order', () => {
    const { clock, log, catchUp, tell } = setUp();
    tell(false);
    clock.advance(HOLE_MS * 10);
    assert.equal(log.readings, 0);
    catchUp.resumed();
    assert.equal(log.readings, 1);
    catchUp.ended('told');
    clock.advance(HOLE_MS * 10);
    assert.deepEqual([log.readings, clock.pendingTimers], [1, 0]);
  });

  it('reads a missing number a moment after it was noticed, unless it comes by itself', () => {
    const { clock, log, catchUp, tell } = setUp();
    tell(true);
    clock.advance(HOLE_MS - 1);
    tell(false);
    clock.advance(HOLE_MS * 10);
    assert.equal(log.readings, 0);
    tell(true);
    clock.advance(HOLE_MS - 1);
    tell(true);
    assert.equal(log.readings, 0);
    clock.advance(1);
    assert.equal(log.readings, 1);
    tell(false);
    catchUp.ended('told');
    assert.deepEqual([log.readings, log.givenUp, clock.pendingTimers], [1, 0, 0]);
  });

  it('gives a number up once the server has answered often enough without it', () => {
    const { clock, log, catchUp, tell } = setUp();
    tell(true);
    for (let answers = 1; answers < HOLE_ATTEMPTS; answers++) {
      clock.advance(HOLE_MS);
      assert.equal(log.readings, answers);
      catchUp.ended('told');
      assert.equal(log.givenUp, 0);
    }
    clock.advance(HOLE_MS);
    catchUp.ended('told');
    assert.deepEqual([log.readings, log.givenUp, clock.pendingTimers], [HOLE_ATTEMPTS, 1, 0]);
  });

  it('begins to count again when an answer brings something, and after each resume', () => {
    const { clock, log, catchUp, tell } = setUp();
    const answers = (count: number) => {
      for (let answer = 0; answer < count; answer++) {
        clock.advance(HOLE_MS);
        catchUp.ended('told');
      }
    };
    tell(true);
    answers(HOLE_ATTEMPTS - 1);
    clock.advance(HOLE_MS);
    log.lastSeq += 1;
    catchUp.ended('told');
    answers(HOLE_ATTEMPTS - 1);
    clock.advance(HOLE_MS);
    catchUp.ended('cut');
    catchUp.resumed();
    catchUp.ended('told');
    answers(HOLE_ATTEMPTS - 2);
    assert.equal(log.givenUp, 0);
    answers(1);
    assert.equal(log.givenUp, 1);
  });

  it('counts neither the time without a connection nor that of an answer', () => {
    const { clock, log, catchUp, tell } = setUp();
    tell(true);
    clock.advance(HOLE_MS);
    for (let moment = 0; moment < 1_000; moment++) {
      // Events keep coming while the answer is under way.
      tell(true);
      clock.advance(HOLE_MS);
    }
    assert.equal(log.readings, 1);
    catchUp.ended('cut');
    clock.advance(HOLE_MS * 1_000);
    assert.deepEqual([log.readings, log.givenUp, clock.pendingTimers], [1, 0, 0]);
    catchUp.resumed();
    assert.equal(log.readings, 2);
  });

  it('reads again for a resume that comes before the end of the reading that was cut', () => {
    const { log, catchUp } = setUp();
    catchUp.resumed();
    catchUp.resumed();
    assert.equal(log.readings, 1);
    catchUp.ended('cut');
    assert.equal(log.readings, 2);
    catchUp.ended('told');
    assert.equal(log.readings, 2);
  });

  it('tries again what was refused, with longer and longer waits, and gives nothing up for it', () => {
    const { clock, log, catchUp, tell } = setUp();
    catchUp.resumed();
    const waits: number[] = [];
    for (let refusals = 0; refusals < 20; refusals++) {
      catchUp.ended('refused');
      tell(refusals % 3 === 0);
      const before = log.readings;
      const since = clock.now();
      while (log.readings === before) {
        clock.advance(1);
      }
      waits.push(clock.now() - since);
    }
    assert.deepEqual(
      waits.slice(0, 4),
      [1, 2, 4, 8].map((times) => times * FIRST_REFUSED_MS),
    );
    assert.equal(waits.at(-1), LAST_REFUSED_MS);
    assert.equal(log.givenUp, 0);
  });

  it('waits as briefly as at first for what is refused after an answer, or after a resume', () => {
    const { clock, log, catchUp, tell } = setUp();
    const refuse = (times: number) => {
      for (let refusals = 0; refusals < times; refusals++) {
        catchUp.ended('refused');
        clock.advance(LAST_REFUSED_MS);
      }
    };
    catchUp.resumed();
    refuse(5);
    assert.equal(log.readings, 6);
    tell(true);
    catchUp.ended('told');
    clock.advance(HOLE_MS);
    assert.equal(log.readings, 7);
    catchUp.ended('refused');
    clock.advance(FIRST_REFUSED_MS);
    assert.equal(log.readings, 8);
    refuse(5);
    assert.equal(log.readings, 13);
    catchUp.ended('cut');
    catchUp.resumed();
    catchUp.ended('refused');
    clock.advance(FIRST_REFUSED_MS);
    assert.equal(log.readings, 15);
  });

  it('reads a missing number that came meanwhile neither after an answer nor without a connection', () => {
    const { clock, log, catchUp, tell } = setUp();
    catchUp.resumed();
    catchUp.ended('told');
    tell(true);
    tell(false);
    clock.advance(HOLE_MS * 10);
    assert.equal(log.readings, 1);
    tell(true);
    catchUp.resumed();
    catchUp.ended('cut');
    clock.advance(HOLE_MS * 10);
    assert.deepEqual([log.readings, clock.pendingTimers], [2, 0]);
  });

  it('asks for nothing once it is over', () => {
    const { clock, log, catchUp, tell } = setUp();
    catchUp.resumed();
    tell(true);
    catchUp.dispose();
    catchUp.ended('refused');
    tell(true);
    catchUp.resumed();
    clock.advance(LAST_REFUSED_MS);
    assert.deepEqual([log.readings, clock.pendingTimers], [1, 0]);
  });
});
