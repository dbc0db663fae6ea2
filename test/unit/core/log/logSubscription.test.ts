import assert from 'node:assert/strict';

import fc from 'fast-check';

import { ProcessLog, STALL_MS, type ExecEvent, type Subscription } from '../../../../src/core/index.js';
import { utf8 } from '../../../support/bytes.js';
import { FakeClock } from '../../../support/fakeClock.js';

interface Reader {
  readonly events: ExecEvent[];
  readonly subscription: Subscription;
  /** Acknowledges everything so far. */
  acknowledge(): void;
}

function setUp(limits = { bytes: 1_000, chunks: 1_000 }) {
  const clock = new FakeClock();
  const log = new ProcessLog({ limits, clock });
  const flow: boolean[] = [];
  log.onFlow((paused) => flow.push(paused));
  const subscribe = (windowBytes?: number, afterSeq?: number, stallMs?: number): Reader => {
    const events: ExecEvent[] = [];
    const subscription = log.subscribe({ windowBytes, afterSeq, stallMs }, (event) => events.push(event));
    return { events, subscription, acknowledge: () => subscription.acknowledge(Infinity) };
  };
  return { clock, log, flow, subscribe };
}

const turn = () => Promise.resolve();
const write = (log: ProcessLog, ...texts: string[]) => {
  for (const text of texts) {
    log.appendOutput('stdout', utf8(text));
  }
};
const received = (events: readonly ExecEvent[]) =>
  events.map((event) =>
    event.type === 'output'
      ? Buffer.from(event.bytes).toString()
      : event.type === 'gap'
        ? `gap ${event.fromSeq}-${event.throughSeq} ${event.bytes ?? '?'}`
        : event.type,
  );

describe('A subscription', () => {
  it('that is held gets no output until it is released, and then all of it in order', async () => {
    const { log, flow, subscribe } = setUp();
    const reader = subscribe(100);
    await turn();
    write(log, 'a');
    reader.subscription.hold(true);
    write(log, 'b', 'c');
    reader.acknowledge();
    log.appendExit({ exitCode: 0 });
    assert.deepEqual(received(reader.events), ['a']);
    assert.deepEqual(flow, [true]);
    reader.subscription.hold(false);
    assert.deepEqual(received(reader.events), ['a', 'b', 'c', 'exited']);
    assert.deepEqual(flow, [true, false]);
  });

  it('has a copy of what is lent to the log, unless it borrows as well', async () => {
    const { log } = setUp();
    const kept: Uint8Array[] = [];
    const borrowed: Uint8Array[] = [];
    for (const [borrows, taken] of [
      [false, kept],
      [true, borrowed],
    ] as const) {
      log.subscribe({ borrows }, (event) => {
        if (event.type === 'output') {
          taken.push(event.bytes);
        }
      });
    }
    await turn();
    const lent = utf8('lent');
    log.appendOutput('stdout', lent, true);
    assert.equal(borrowed[0], lent);
    lent.fill(0);
    assert.deepEqual(kept, [utf8('lent')]);
    assert.deepEqual((await log.read()).chunks[0]?.bytes, utf8('lent'));
    const given = utf8('given');
    log.appendOutput('stdout', given);
    assert.equal(kept[1], given);
  });

  it('calls its listener only after it has been returned', async () => {
    const { log, subscribe } = setUp();
    write(log, 'a');
    const reader = subscribe();
    assert.deepEqual(reader.events, []);
    await turn();
    assert.deepEqual(received(reader.events), ['a']);
  });

  it('delivers a replay and then live events, each number once, whenever it begins @property', async () => {
    const lengths = fc.array(fc.integer({ min: 1, max: 30 }), { maxLength: 60, size: 'max' });
    await fc.assert(
      fc.asyncProperty(lengths, fc.nat(60), fc.boolean(), async (sizes, joinAt, yieldBefore) => {
        const { log, subscribe } = setUp({ bytes: 300, chunks: 20 });
        let reader: Reader | undefined;
        for (const [index, size] of sizes.entries()) {
          if (index === joinAt) {
            reader = subscribe();
            if (yieldBefore) {
              await turn();
            }
          }
          write(log, 'x'.repeat(size));
        }
        log.appendExit({ exitCode: 0 });
        log.appendClose();
        reader ??= subscribe();
        await turn();
        let next = 1;
        let bytes = 0;
        for (const event of reader.events) {
          if (event.type === 'gap') {
            assert.equal(event.fromSeq, next);
            next = event.throughSeq + 1;
            bytes += event.bytes ?? Number.NaN;
          } else if (event.type !== 'failed') {
            assert.equal(event.seq, next);
            next += 1;
            bytes += event.type === 'output' ? event.bytes.byteLength : 0;
          }
        }
        assert.equal(next - 1, sizes.length + 2);
        assert.equal(bytes, log.stats.bytes);
      }),
    );
  });

  it('begins after a number', async () => {
    const { log, subscribe } = setUp();
    write(log, 'a', 'b', 'c');
    const reader = subscribe(undefined, 2);
    await turn();
    write(log, 'd');
    assert.deepEqual(received(reader.events), ['c', 'd']);
  });

  it('begins now for a number beyond the end', async () => {
    const { log, subscribe } = setUp();
    write(log, 'a');
    const reader = subscribe(undefined, 99);
    await turn();
    write(log, 'b');
    assert.deepEqual(received(reader.events), ['b']);
  });

  it('gets no more than its window until it acknowledges, and then goes on from the log', async () => {
    const { log, subscribe } = setUp();
    const reader = subscribe(4);
    await turn();
    write(log, 'aa', 'bb', 'cc', 'dd', 'ee');
    assert.deepEqual(received(reader.events), ['aa', 'bb']);
    reader.subscription.acknowledge(1);
    assert.deepEqual(received(reader.events), ['aa', 'bb', 'cc']);
    reader.acknowledge();
    assert.deepEqual(received(reader.events), ['aa', 'bb', 'cc', 'dd', 'ee']);
  });

  it('gets exit and close after the output that waits, and needs no room for them', async () => {
    const { log, subscribe } = setUp();
    const reader = subscribe(2);
    await turn();
    write(log, 'aa', 'bb');
    log.appendExit({ exitCode: 0 });
    log.appendClose();
    assert.deepEqual(received(reader.events), ['aa']);
    reader.subscription.acknowledge(1);
    assert.deepEqual(received(reader.events), ['aa', 'bb', 'exited', 'closed']);
  });

  it('counts what is under way exactly, however it is acknowledged @property', async () => {
    const sizes = fc.array(fc.integer({ min: 1, max: 9 }), { minLength: 200, maxLength: 600, size: 'max' });
    await fc.assert(
      fc.asyncProperty(sizes, fc.integer({ min: 1, max: 300 }), fc.nat(8), async (chunks, window, lag) => {
        const { log, subscribe } = setUp({ bytes: 10_000, chunks: 10_000 });
        const reader = subscribe(window);
        await turn();
        let acknowledged = 0;
        const sizeOf = (event: ExecEvent) => (event.type === 'output' ? event.bytes.byteLength : 0);
        const underWay = () =>
          reader.events.slice(acknowledged).reduce((total, event) => total + sizeOf(event), 0);
        for (const [index, size] of chunks.entries()) {
          write(log, 'x'.repeat(size));
          // The window is closed as soon as it is full, and not before.
          assert.ok(reader.events.length === index + 1 || underWay() >= window);
          if (index % (lag + 1) === 0) {
            acknowledged = Math.min(reader.events.length, acknowledged + lag);
            reader.subscription.acknowledge(acknowledged);
          }
        }
        while (reader.events.length < chunks.length) {
          const before = reader.events.length;
          acknowledged = before;
          reader.subscription.acknowledge(acknowledged);
          assert.ok(reader.events.length > before);
        }
        assert.deepEqual(reader.events.map(sizeOf), chunks);
      }),
    );
  });

  it('ignores an empty acknowledgement, and takes an empty window for the smallest one', async () => {
    const { log, subscribe } = setUp();
    const reader = subscribe(0);
    await turn();
    write(log, 'a', 'b');
    reader.subscription.acknowledge(Number.NaN);
    assert.deepEqual(received(reader.events), ['a']);
    reader.subscription.acknowledge(1);
    assert.deepEqual(received(reader.events), ['a', 'b']);
  });

  it('begins anywhere: what follows is always the rest @property', async () => {
    const lengths = fc.array(fc.integer({ min: 1, max: 30 }), { maxLength: 30, size: 'max' });
    await fc.assert(
      fc.asyncProperty(lengths, fc.nat(30), fc.nat(33), async (sizes, exitAt, afterSeq) => {
        const { log, subscribe } = setUp({ bytes: 200, chunks: 10 });
        let exited = false;
        for (const [index, size] of sizes.entries()) {
          if (index === exitAt) {
            log.appendExit({ exitCode: 0 });
            exited = true;
          }
          write(log, 'x'.repeat(size));
        }
        const rest = subscribe(undefined, afterSeq + 0.5);
        await turn();
        const last = log.stats.lastSeq;
        const numbers = rest.events.flatMap((event) =>
          event.type === 'gap'
            ? Array.from(
                { length: event.throughSeq - event.fromSeq + 1 },
                (_, index) => event.fromSeq + index,
              )
            : 'seq' in event
              ? [event.seq]
              : [],
        );
        const expected = Array.from(
          { length: Math.max(0, last - afterSeq) },
          (_, index) => afterSeq + 1 + index,
        );
        assert.deepEqual(numbers, expected);
        // The known sizes of gaps are right: together with the delivered chunks they add up to everything.
        const gaps = rest.events.filter((event) => event.type === 'gap');
        const chunkCount =
          gaps.reduce((total, gap) => total + gap.chunks, 0) +
          rest.events.filter((event) => event.type === 'output').length;
        const exitsInRest = exited && exitAt + 1 > afterSeq ? 1 : 0;
        assert.equal(chunkCount, expected.length - exitsInRest);
        // All retained output is delivered and in no gap.
        const outputs = rest.events.filter((event) => event.type === 'output').map(({ seq }) => seq);
        const retained = (await log.read({ afterSeq })).chunks.map(({ seq }) => seq);
        assert.deepEqual(outputs, retained);
      }),
    );
  });

  it('begins at the exit although what follows it is gone', async () => {
    const { log, subscribe } = setUp({ bytes: 2, chunks: 10 });
    log.appendExit({ exitCode: 0 });
    write(log, 'a', 'bb', 'cc');
    const reader = subscribe(undefined, 1);
    await turn();
    assert.deepEqual(
      reader.events.map((event) =>
        event.type === 'gap' ? [event.fromSeq, event.throughSeq, event.chunks] : event.type,
      ),
      [[2, 3, 2], 'output'],
    );
  });

  it('knows the size of a gap that came after it began in the middle', async () => {
    const { log, subscribe } = setUp({ bytes: 4, chunks: 10 });
    write(log, 'aa', 'bb', 'cc');
    const reader = subscribe(1, 2);
    await turn();
    write(log, 'dd', 'ee', 'ff');
    reader.acknowledge();
    assert.deepEqual(received(reader.events), ['cc', 'gap 4-4 2', 'ee']);
  });

  it('may acknowledge, and may end, within its listener', async () => {
    const { log } = setUp();
    const events: ExecEvent[] = [];
    const subscription = log.subscribe({ windowBytes: 1 }, (event) => {
      events.push(event);
      if (event.type === 'output') {
        subscription.acknowledge(event.seq);
      }
      if (events.length === 3) {
        subscription.dispose();
      }
    });
    write(log, 'a', 'b');
    await turn();
    write(log, 'c', 'd');
    assert.deepEqual(received(events), ['a', 'b', 'c']);
  });

  it('is not disturbed by another that throws', async () => {
    const { log, subscribe } = setUp();
    const uncaught: unknown[] = [];
    const before = process.listeners('uncaughtException');
    process.removeAllListeners('uncaughtException');
    process.once('uncaughtException', (error) => uncaught.push(error));
    const bad = log.subscribe({}, () => {
      throw new Error('listener');
    });
    const reader = subscribe();
    await turn();
    write(log, 'a');
    bad.dispose();
    await new Promise((resolve) => setImmediate(resolve));
    for (const listener of before) {
      process.on('uncaughtException', listener);
    }
    assert.deepEqual(received(reader.events), ['a']);
    assert.match(String(uncaught[0]), /listener/);
  });
});

describe('Back-pressure', () => {
  it('pauses while the only subscriber is full, and resumes when it acknowledges', async () => {
    const { log, flow, subscribe } = setUp();
    const reader = subscribe(2);
    await turn();
    write(log, 'a');
    assert.deepEqual(flow, []);
    write(log, 'b');
    assert.deepEqual(flow, [true]);
    reader.acknowledge();
    assert.deepEqual(flow, [true, false]);
  });

  it('is never caused by a missing reader, or by one with a cursor', async () => {
    const { log, flow } = setUp();
    for (let index = 0; index < 1_000; index++) {
      write(log, 'xxxxxxxxxx');
    }
    await log.read({ maxBytes: 1 });
    assert.deepEqual(flow, []);
  });

  it('pauses only when everybody who counts is full', async () => {
    const { log, flow, subscribe } = setUp();
    const slow = subscribe(1);
    const fast = subscribe(100);
    await turn();
    write(log, 'a', 'b');
    assert.equal(slow.subscription.state, 'slow');
    assert.deepEqual(flow, []);
    fast.subscription.dispose();
    assert.deepEqual(flow, [true]);
    subscribe(100);
    assert.deepEqual(flow, [true, false]);
  });

  it('takes no notice of a passive subscriber, however fast it is', async () => {
    const { log, flow, subscribe } = setUp();
    log.subscribe({ passive: true }, () => undefined);
    subscribe(1);
    await turn();
    write(log, 'a');
    assert.deepEqual(flow, [true]);
  });

  it('lets go of a subscriber that stalls, and shows it its gap later', async () => {
    const { clock, log, flow, subscribe } = setUp({ bytes: 4, chunks: 100 });
    const reader = subscribe(2);
    await turn();
    write(log, 'aa');
    clock.advance(STALL_MS - 1);
    assert.deepEqual(flow, [true]);
    clock.advance(1);
    assert.equal(reader.subscription.state, 'stalled');
    assert.deepEqual(flow, [true, false]);
    write(log, 'bb', 'cc', 'dd', 'ee');
    assert.deepEqual(flow, [true, false]);
    reader.acknowledge();
    assert.deepEqual(received(reader.events), ['aa', 'gap 2-3 4', 'dd']);
    assert.deepEqual(flow, [true, false, true]);
    reader.acknowledge();
    assert.deepEqual(received(reader.events), ['aa', 'gap 2-3 4', 'dd', 'ee']);
  });

  it('waits for ever for a subscriber that cannot bear a missing number', async () => {
    const { clock, log, flow, subscribe } = setUp();
    const reader = subscribe(2, 0, Infinity);
    await turn();
    write(log, 'aa', 'bb');
    assert.equal(clock.pendingTimers, 0);
    clock.advance(100 * STALL_MS);
    assert.equal(reader.subscription.state, 'slow');
    assert.deepEqual(flow, [true]);
    reader.acknowledge();
    assert.deepEqual(received(reader.events), ['aa', 'bb']);
  });

  it('waits for such a subscriber although another is faster', async () => {
    const { log, flow, subscribe } = setUp();
    const patient = subscribe(2, 0, Infinity);
    subscribe();
    await turn();
    write(log, 'aa');
    assert.deepEqual(flow, [true]);
    patient.acknowledge();
    assert.deepEqual(flow, [true, false]);
  });

  it('counts the time since the last acknowledgement', async () => {
    const { clock, log, subscribe } = setUp();
    const reader = subscribe(2);
    await turn();
    write(log, 'a', 'b', 'c', 'd', 'e');
    clock.advance(STALL_MS - 1);
    reader.subscription.acknowledge(1);
    clock.advance(STALL_MS - 1);
    assert.equal(reader.subscription.state, 'slow');
    clock.advance(1);
    assert.equal(reader.subscription.state, 'stalled');
  });

  it('holds no timer for a subscriber that has left', async () => {
    const { clock, log, subscribe } = setUp();
    const reader = subscribe(1);
    await turn();
    write(log, 'a');
    assert.equal(clock.pendingTimers, 1);
    reader.subscription.dispose();
    assert.equal(clock.pendingTimers, 0);
  });
});
