import assert from 'node:assert/strict';

import fc from 'fast-check';

import { ProcessLog, type ExecEvent } from '../../../src/core/index.js';
import { FakeClock } from '../../support/fakeClock.js';
import { cutOff } from '../../support/failures.js';

function makeLog(bytes = 1_000): ProcessLog {
  return new ProcessLog({ limits: { bytes, chunks: 100 }, clock: new FakeClock() });
}

async function replay(log: ProcessLog, afterSeq?: number): Promise<ExecEvent[]> {
  const events: ExecEvent[] = [];
  const subscription = log.subscribe({ afterSeq }, (event) => events.push(event));
  await Promise.resolve();
  subscription.dispose();
  return events;
}

const brief = (events: readonly ExecEvent[]) =>
  events.map((event) => {
    switch (event.type) {
      case 'gap':
        return `${event.fromSeq}-${event.throughSeq}: ${event.bytes ?? '?'} bytes`;
      case 'failed':
        return 'failed';
      case 'output':
      case 'exited':
      case 'closed':
        return `${event.seq} ${event.type}`;
    }
  });

const chunk = (size: number) => new Uint8Array(size);

describe('Output that never reached a log', () => {
  it('is a gap for present subscribers, for later ones, and for readers', async () => {
    const log = makeLog();
    const live: ExecEvent[] = [];
    log.subscribe({}, (event) => live.push(event));
    await Promise.resolve();
    log.appendOutput('pty', chunk(1));
    log.appendMissing(5, 40);
    log.appendOutput('pty', chunk(1));
    log.appendMissing(9);
    log.appendExit({ exitCode: 0 });
    log.appendClose();
    const expected = ['1 output', '2-5: 40 bytes', '6 output', '7-9: ? bytes', '10 exited', '11 closed'];
    assert.deepEqual(brief(live), expected);
    assert.deepEqual(brief(await replay(log)), expected);
    const { missing, nextSeq } = await log.read();
    assert.equal(nextSeq, 12);
    assert.deepEqual(missing, [
      { fromSeq: 2, throughSeq: 5, chunks: 4, bytes: 40 },
      { fromSeq: 7, throughSeq: 9, chunks: 3 },
    ]);
    assert.equal((await log.read({ afterSeq: 9 })).missing, undefined);
    assert.deepEqual(log.stats.missing, { chunks: 7, bytes: 40 });
    assert.deepEqual(log.stats.bytes, 2);
  });

  it('can be the first and the last thing there is', async () => {
    const log = makeLog();
    log.appendMissing(3);
    assert.deepEqual(brief(await replay(log)), ['1-3: ? bytes']);
    assert.deepEqual(brief(await replay(log, 2)), ['3-3: ? bytes']);
    assert.deepEqual(await replay(log, 3), []);
    log.fail(cutOff('gone'));
    assert.deepEqual(brief(await replay(log, 3)), ['failed']);
  });

  it('is counted, but of no size that is said, once there are so many gaps that the first are forgotten', async () => {
    const log = makeLog();
    const gaps = 1_001;
    for (let gap = 0; gap < gaps; gap++) {
      log.appendMissing(log.stats.lastSeq + 1, 10);
      log.appendOutput('pty', chunk(1));
    }
    log.evictTo(1);
    const lastSeq = 2 * gaps;
    assert.deepEqual(log.stats.missing, { chunks: gaps, bytes: 10 * gaps });
    assert.deepEqual(brief(await replay(log)), [
      `1-${lastSeq - 2}: ? bytes`,
      `${lastSeq - 1}-${lastSeq - 1}: 10 bytes`,
      `${lastSeq} output`,
    ]);
  });

  it('is ignored if the log is past it already, and cannot follow the end', () => {
    const log = makeLog();
    log.appendOutput('pty', chunk(1));
    log.appendMissing(1);
    assert.equal(log.stats.lastSeq, 1);
    log.appendExit({ exitCode: 0 });
    log.appendClose();
    assert.throws(() => log.appendMissing(9), /the log is closed/);
  });

  it('wakes a read that waits only for what can be read', async () => {
    const log = makeLog();
    const answer = log.read({ waitMs: 1_000 });
    log.appendMissing(4);
    log.appendOutput('pty', chunk(1));
    assert.deepEqual((await answer).missing, [{ fromSeq: 1, throughSeq: 4, chunks: 4 }]);
  });

  it('never hides or repeats a number, whatever happens and whoever asks @property', async () => {
    const step = fc.oneof(
      fc.record({ output: fc.integer({ min: 1, max: 40 }) }),
      fc.record({ missing: fc.integer({ min: 1, max: 5 }), bytes: fc.option(fc.nat(), { nil: undefined }) }),
      fc.record({ evictTo: fc.integer({ min: 0, max: 50 }) }),
      fc.constant({ exit: true }),
    );
    await fc.assert(
      fc.asyncProperty(
        fc.array(step, { maxLength: 30 }),
        fc.nat(40),
        fc.boolean(),
        async (steps, after, close) => {
          const log = makeLog(100);
          for (const one of steps) {
            if ('output' in one) {
              log.appendOutput('stdout', chunk(one.output));
            } else if ('missing' in one) {
              log.appendMissing(log.stats.lastSeq + one.missing, one.bytes);
            } else if ('evictTo' in one) {
              log.evictTo(one.evictTo);
            } else if (log.exit === undefined) {
              log.appendExit({ exitCode: 0 });
            }
          }
          if (close && log.exit !== undefined) {
            log.appendClose();
          }
          const { lastSeq, evicted, missing } = log.stats;
          const events = await replay(log, after);
          let next = Math.min(after, lastSeq) + 1;
          let unseen = 0;
          for (const event of events) {
            assert.notEqual(event.type, 'failed');
            if (event.type === 'gap') {
              assert.equal(event.fromSeq, next);
              assert.equal(event.chunks, event.throughSeq - event.fromSeq + 1);
              unseen += event.chunks;
              next = event.throughSeq + 1;
            } else if (event.type !== 'failed') {
              assert.equal(event.seq, next);
              next += 1;
            }
          }
          assert.equal(next, lastSeq + 1);
          if (after === 0) {
            assert.equal(unseen, evicted.chunks + missing.chunks);
          }
        },
      ),
    );
  });
});
