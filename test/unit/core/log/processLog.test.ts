import assert from 'node:assert/strict';

import { isExecError, ProcessLog, type ExecEvent, type LogLimits } from '../../../../src/core/index.js';
import { textOf, utf8 } from '../../../support/bytes.js';
import { FakeClock } from '../../../support/fakeClock.js';
import { cutOff, wireText } from '../../../support/failures.js';

const LIMITS: LogLimits = { bytes: 1_000, chunks: 100 };

function makeLog(limits = LIMITS): { log: ProcessLog; clock: FakeClock } {
  const clock = new FakeClock();
  return { log: new ProcessLog({ limits, clock }), clock };
}

/** Subscribes and collects the replay. */
async function collect(log: ProcessLog, afterSeq?: number): Promise<ExecEvent[]> {
  const events: ExecEvent[] = [];
  log.subscribe({ afterSeq }, (event) => events.push(event));
  await Promise.resolve();
  return events;
}

const summary = (events: readonly ExecEvent[]) =>
  events.map((event) => {
    switch (event.type) {
      case 'output':
        return `${event.seq} ${event.stream} ${Buffer.from(event.bytes).toString()}`;
      case 'exited':
        return `${event.seq} exited ${event.status.exitCode}`;
      case 'closed':
        return `${event.seq} closed`;
      case 'gap':
        return `gap ${event.fromSeq}-${event.throughSeq}: ${event.bytes ?? '?'} bytes, ${event.chunks} chunks`;
      case 'failed':
        return `failed ${wireText(event.failure)}`;
    }
  });

describe('ProcessLog', () => {
  describe('numbers', () => {
    it('counts output, exit and close from 1 without a gap', async () => {
      const { log } = makeLog();
      log.appendOutput('stdout', utf8('out'));
      log.appendOutput('stderr', utf8('err'));
      log.appendExit({ exitCode: 7 });
      log.appendClose();
      assert.deepEqual(summary(await collect(log)), [
        '1 stdout out',
        '2 stderr err',
        '3 exited 7',
        '4 closed',
      ]);
    });

    it('goes on after the exit', async () => {
      const { log } = makeLog();
      log.appendExit({ exitCode: 0 });
      log.appendOutput('stdout', utf8('late'));
      log.appendClose();
      assert.deepEqual(summary(await collect(log)), ['1 exited 0', '2 stdout late', '3 closed']);
    });

    it('gives none to an empty chunk', () => {
      const { log } = makeLog();
      log.appendOutput('stdout', new Uint8Array());
      assert.equal(log.stats.lastSeq, 0);
    });

    it('takes nothing in an impossible order', () => {
      const { log } = makeLog();
      assert.throws(() => log.appendClose(), /closes after it has exited/);
      log.appendExit({ exitCode: 0 });
      assert.throws(() => log.appendExit({ exitCode: 0 }), /exits once/);
      log.appendClose();
      assert.throws(() => log.appendOutput('stdout', utf8('x')), /the log is closed/);
      assert.throws(() => log.appendClose(), /the log is closed/);
    });
  });

  describe('read', () => {
    it('gives what comes after a number, and where to go on', async () => {
      const { log } = makeLog();
      log.appendOutput('stdout', utf8('one'));
      log.appendOutput('stdout', utf8('two'));
      log.appendOutput('stderr', utf8('three'));
      const answer = await log.read({ afterSeq: 1 });
      assert.equal(textOf(answer.chunks), 'twothree');
      assert.deepEqual(answer, {
        chunks: answer.chunks,
        nextSeq: 4,
        exited: false,
        closed: false,
      });
    });

    it('always gives the first chunk, and then only what fits', async () => {
      const { log } = makeLog();
      for (const text of ['12345', '67', '89', '0']) {
        log.appendOutput('stdout', utf8(text));
      }
      const read = async (maxBytes: number) => {
        const { chunks, nextSeq } = await log.read({ maxBytes });
        return [textOf(chunks), nextSeq];
      };
      assert.deepEqual(await read(0), ['12345', 2]);
      assert.deepEqual(await read(5), ['12345', 2]);
      assert.deepEqual(await read(6), ['12345', 2]);
      assert.deepEqual(await read(8), ['1234567', 3]);
      assert.deepEqual(await read(100), ['1234567890', 5]);
    });

    it('counts exit and close in nextSeq, unless maxBytes cut the answer', async () => {
      const { log } = makeLog();
      log.appendOutput('stdout', utf8('out'));
      log.appendExit({ exitCode: 3 });
      log.appendClose();
      const whole = await log.read();
      assert.deepEqual(
        [whole.nextSeq, whole.exited, whole.exit, whole.closed],
        [4, true, { exitCode: 3 }, true],
      );
      const cut = await log.read({ maxBytes: 100 });
      assert.deepEqual([cut.nextSeq, cut.closed], [2, true]);
      assert.equal((await log.read({ maxBytes: 100, afterSeq: 1 })).nextSeq, 4);
    });

    it('takes an impossible number for the beginning', async () => {
      const { log } = makeLog();
      log.appendOutput('stdout', utf8('x'));
      for (const afterSeq of [-1, Number.NaN, 0.5]) {
        assert.equal(textOf((await log.read({ afterSeq })).chunks), 'x');
      }
    });

    it('answers at once when there is something to report', async () => {
      const { log, clock } = makeLog();
      log.appendOutput('stdout', utf8('x'));
      await log.read({ waitMs: 1_000 });
      log.appendExit({ exitCode: 0 });
      await log.read({ afterSeq: 1, waitMs: 1_000 });
      log.appendClose();
      await log.read({ afterSeq: 99, waitMs: 1_000 });
      assert.equal(clock.pendingTimers, 0);
    });

    it('waits for output, the exit, the close or a failure', async () => {
      const changes: ((log: ProcessLog) => void)[] = [
        (log) => log.appendOutput('stdout', utf8('x')),
        (log) => log.appendExit({ exitCode: 0 }),
        (log) => log.fail(cutOff('gone')),
      ];
      for (const change of changes) {
        const { log, clock } = makeLog();
        const answer = log.read({ waitMs: 60_000 });
        change(log);
        await answer;
        assert.equal(clock.pendingTimers, 0);
      }
      const { log } = makeLog();
      log.appendExit({ exitCode: 0 });
      const answer = log.read({ afterSeq: 1, waitMs: 60_000 });
      log.appendClose();
      assert.equal((await answer).closed, true);
    });

    it('waits on after an exit that has been seen', async () => {
      const { log, clock } = makeLog();
      log.appendExit({ exitCode: 0 });
      const answer = log.read({ afterSeq: 1, waitMs: 500 });
      clock.advance(499);
      assert.equal(clock.pendingTimers, 1);
      log.appendOutput('stdout', utf8('late'));
      assert.equal(textOf((await answer).chunks), 'late');
    });

    it('gives up at the time limit, and when it is cancelled', async () => {
      const { log, clock } = makeLog();
      const timed = log.read({ waitMs: 500 });
      clock.advance(500);
      assert.deepEqual((await timed).chunks, []);
      const abort = new AbortController();
      const cancelled = log.read({ waitMs: 500 }, abort.signal);
      abort.abort();
      assert.deepEqual((await cancelled).chunks, []);
      assert.deepEqual((await log.read({ waitMs: 500 }, abort.signal)).chunks, []);
      assert.equal(clock.pendingTimers, 0);
    });

    it('awaits output while it waits, and no longer', async () => {
      const { log } = makeLog();
      const awaited: boolean[] = [];
      log.onAwaited((now) => awaited.push(now));
      const answer = log.read({ waitMs: 500 });
      assert.deepEqual(awaited, [true]);
      log.appendOutput('stdout', utf8('x'));
      await answer;
      assert.deepEqual(awaited, [true, false]);
    });
  });

  describe('eviction', () => {
    it('leaves no memory held in advance once nothing can follow', () => {
      for (const end of [
        (log: ProcessLog) => log.appendClose(),
        (log: ProcessLog) => log.fail(cutOff('gone')),
      ]) {
        const { log } = makeLog({ bytes: 100_000, chunks: 1_000 });
        log.appendOutput('stdout', new Uint8Array(1_500));
        log.appendOutput('stdout', new Uint8Array(1_500));
        log.appendExit({ exitCode: 0 });
        assert.ok(log.allocatedBytes > 3_000 + 2 * 13);
        end(log);
        assert.equal(log.allocatedBytes, 3_000 + 2 * 13);
      }
    });

    it('is told to a reader who asks for older output, and to no other', async () => {
      const { log } = makeLog({ bytes: 10, chunks: 100 });
      for (const text of ['11111', '22222', '33333']) {
        log.appendOutput('stdout', utf8(text));
      }
      const evicted = { bytes: 5, chunks: 1, throughSeq: 1 };
      assert.deepEqual((await log.read()).evicted, evicted);
      assert.equal((await log.read({ afterSeq: 1 })).evicted, undefined);
      assert.deepEqual(log.stats, {
        bytes: 15,
        chunks: 3,
        retainedBytes: 10,
        evicted,
        missing: { chunks: 0, bytes: 0 },
        lastSeq: 3,
      });
    });

    it('is a gap to a subscriber who comes late', async () => {
      const { log } = makeLog({ bytes: 10, chunks: 100 });
      for (const text of ['11111', '22222', '33333']) {
        log.appendOutput('stdout', utf8(text));
      }
      assert.deepEqual(summary(await collect(log)), [
        'gap 1-1: 5 bytes, 1 chunks',
        '2 stdout 22222',
        '3 stdout 33333',
      ]);
    });

    it('does not swallow the exit', async () => {
      const { log } = makeLog({ bytes: 2, chunks: 100 });
      log.appendOutput('stdout', utf8('a'));
      log.appendExit({ exitCode: 1 });
      log.appendOutput('stdout', utf8('bb'));
      log.appendOutput('stdout', utf8('cc'));
      log.appendClose();
      assert.deepEqual(summary(await collect(log)), [
        'gap 1-1: 1 bytes, 1 chunks',
        '2 exited 1',
        'gap 3-3: 2 bytes, 1 chunks',
        '4 stdout cc',
        '5 closed',
      ]);
    });

    it('leaves exit and close when one chunk evicts everything, itself included', async () => {
      const { log } = makeLog({ bytes: 3, chunks: 8 });
      const live = await collect(log);
      log.appendOutput('stdout', utf8('large'));
      log.appendExit({ exitCode: 0 });
      log.appendClose();
      // A subscriber of that time got everything all the same.
      assert.deepEqual(summary(live), ['1 stdout large', '2 exited 0', '3 closed']);
      assert.deepEqual(summary(await collect(log)), ['gap 1-1: 5 bytes, 1 chunks', '2 exited 0', '3 closed']);
    });

    it('keeps hundreds of small events: the reference lets go after 256', async () => {
      const log = new ProcessLog();
      for (let index = 0; index < 1_000; index++) {
        log.appendOutput('stdout', utf8('x'));
      }
      assert.equal((await collect(log)).length, 1_000);
      assert.equal(log.stats.evicted.chunks, 0);
    });

    it('can be asked for, and frees memory', () => {
      const { log } = makeLog({ bytes: 100_000, chunks: 100_000 });
      for (let index = 0; index < 100; index++) {
        log.appendOutput('stdout', new Uint8Array(1_000));
      }
      log.evictTo(2_500);
      assert.equal(log.stats.retainedBytes, 2_000);
      assert.equal(log.stats.evicted.bytes, 98_000);
      assert.ok(log.allocatedBytes < 3_000, `${log.allocatedBytes} bytes`);
      log.appendOutput('stdout', new Uint8Array(1_000));
      assert.equal(log.stats.retainedBytes, 3_000);
    });

    it('does not know the sizes after a number that is gone, and says so', async () => {
      const { log } = makeLog({ bytes: 10, chunks: 100 });
      for (const text of ['11111', '22222', '33333', '44444']) {
        log.appendOutput('stdout', utf8(text));
      }
      assert.deepEqual(summary(await collect(log, 1)), [
        'gap 2-2: ? bytes, 1 chunks',
        '3 stdout 33333',
        '4 stdout 44444',
      ]);
    });
  });

  describe('failure', () => {
    it('is one event without a number, and the last', async () => {
      const { log } = makeLog();
      const live = await collect(log);
      log.appendOutput('stdout', utf8('x'));
      log.fail(cutOff('cable cut'));
      log.fail(cutOff('again'));
      const expected = ['1 stdout x', `failed ${wireText(cutOff('cable cut'))}`];
      assert.deepEqual(summary(live), expected);
      assert.deepEqual(summary(await collect(log)), expected);
      assert.throws(() => log.appendExit({ exitCode: 0 }), /the log has failed/);
    });

    it('resolves pending and later reads, which are closed', async () => {
      const { log } = makeLog();
      const pending = log.read({ waitMs: 60_000 });
      log.fail(cutOff('cable cut'));
      for (const answer of [await pending, await log.read()]) {
        assert.deepEqual(answer.failure, cutOff('cable cut'));
        assert.equal(answer.closed, true);
      }
    });

    it('is the error of calls that are no longer possible, and of no earlier call', () => {
      const { log } = makeLog();
      log.throwIfFailed();
      const failure = cutOff('cable cut');
      log.fail(failure);
      assert.throws(
        () => log.throwIfFailed(),
        (error) => isExecError(error) && error.failure === failure,
      );
    });

    it('comes too late for a log that is closed', () => {
      const { log } = makeLog();
      log.appendExit({ exitCode: 0 });
      log.appendClose();
      log.fail(cutOff('cable cut'));
      assert.equal(log.failure, undefined);
    });
  });

  describe('wake', () => {
    it('fires with the highest number after each change', () => {
      const { log } = makeLog();
      const seen: number[] = [];
      const subscription = log.onWake((seq) => seen.push(seq));
      log.appendOutput('stdout', utf8('x'));
      log.appendExit({ exitCode: 0 });
      log.fail(cutOff('gone'));
      subscription.dispose();
      assert.deepEqual(seen, [1, 2, 2]);
    });
  });
});
