import assert from 'node:assert/strict';

import fc from 'fast-check';

import { EarlyEvents, EventSorter } from '../../../src/remote/log/eventSorter.js';
import { EARLY_EVENTS, HOLE_ATTEMPTS, HOLE_MS } from '../../../src/remote/limits.js';
import type { RemoteEvent } from '../../../src/remote/session/remoteEvent.js';
import { FakeClock } from '../../support/fakeClock.js';

function output(seq: number, size = 1): RemoteEvent {
  return { type: 'output', seq, stream: 'stdout', bytes: new Uint8Array(size) };
}

function setup() {
  const clock = new FakeClock();
  const delivered: RemoteEvent[] = [];
  const state = { fetches: 0 };
  const sorter = new EventSorter({
    deliver: (event) => void delivered.push(event),
    fetch: () => void (state.fetches += 1),
    clock,
  });
  const seqs = () => delivered.map((event) => (event.type === 'gap' ? -event.throughSeq : event.seq));
  return { clock, sorter, delivered, state, seqs };
}

describe('The order of what a server tells', () => {
  it('is that of its numbers, each once, however they come', () => {
    fc.assert(
      fc.property(
        fc.shuffledSubarray(
          Array.from({ length: 30 }, (_, index) => index + 1),
          { minLength: 30 },
        ),
        fc.array(fc.integer({ min: 1, max: 30 })),
        (order, again) => {
          const { sorter, seqs, clock } = setup();
          for (const seq of [...order.slice(0, 15), ...again, ...order.slice(15), ...again]) {
            sorter.add(output(seq));
          }
          assert.deepEqual(
            seqs(),
            Array.from({ length: 30 }, (_, index) => index + 1),
          );
          assert.equal(clock.pendingTimers, 0);
        },
      ),
    );
  });

  it('keeps nothing large for what is early and small', () => {
    const { sorter, delivered } = setup();
    const message = new Uint8Array(65_536);
    const early = new EarlyEvents();
    for (const seq of [3, 2, 1]) {
      const event = { type: 'output', seq, stream: 'stdout', bytes: message.subarray(seq, seq + 1) } as const;
      sorter.add(event);
      early.told(event);
    }
    const held = [...delivered.slice(1), ...early.events];
    assert.equal(held.length, 5);
    for (const event of held) {
      assert.equal(event.type === 'output' && event.bytes.buffer.byteLength, 1);
    }
  });

  it('is asked for when a number stays missing, and given up in the end', () => {
    const { sorter, seqs, clock, state } = setup();
    sorter.add(output(1));
    sorter.add(output(3));
    clock.advance(HOLE_MS - 1);
    assert.equal(state.fetches, 0);
    clock.advance(1);
    assert.equal(state.fetches, 1);
    for (let attempt = 1; attempt <= HOLE_ATTEMPTS; attempt++) {
      sorter.fetched();
      clock.advance(HOLE_MS);
    }
    assert.equal(state.fetches, HOLE_ATTEMPTS);
    assert.deepEqual(seqs(), [1, -2, 3]);
    assert.equal(clock.pendingTimers, 0);
  });

  it('is not asked for when the number came late', () => {
    const { sorter, seqs, clock, state } = setup();
    sorter.add(output(2));
    sorter.add(output(1));
    clock.advance(HOLE_MS * 10);
    assert.deepEqual([seqs(), state.fetches], [[1, 2], 0]);
  });

  it('takes from what was read only what is missing', () => {
    const { sorter, seqs } = setup();
    sorter.add(output(1));
    sorter.add(output(5));
    sorter.addRead([output(1), output(2), output(3), output(4), output(5), output(6)]);
    assert.deepEqual(seqs(), [1, 2, 3, 4, 5, 6]);
  });

  it('has no gap where something waits that the server let go of later', () => {
    const { sorter, delivered } = setup();
    sorter.add(output(4, 10));
    sorter.add(output(5, 10));
    sorter.addRead([{ type: 'gap', seq: 1, throughSeq: 5, totalBytes: 100 }, output(6)]);
    assert.deepEqual(
      delivered.map((event) => (event.type === 'gap' ? event : event.seq)),
      [{ type: 'gap', seq: 1, throughSeq: 3, totalBytes: 80 }, 4, 5, 6],
    );
  });

  it('says of several gaps only at the last one how much there was', () => {
    const { sorter, delivered } = setup();
    sorter.add(output(2, 10));
    sorter.addRead([{ type: 'gap', seq: 1, throughSeq: 4, totalBytes: 100 }]);
    assert.deepEqual(
      delivered.map((event) => (event.type === 'gap' ? event : event.seq)),
      [{ type: 'gap', seq: 1, throughSeq: 1 }, 2, { type: 'gap', seq: 3, throughSeq: 4, totalBytes: 100 }],
    );
  });

  it('keeps a bound, and asks again for what was too much', () => {
    const { sorter, seqs, clock, state } = setup();
    const exit = { type: 'exited', seq: EARLY_EVENTS + 100, status: { exitCode: 0 } } as const;
    for (let seq = 2; seq < exit.seq; seq++) {
      sorter.add(output(seq));
    }
    sorter.add(exit);
    assert.equal(sorter.exitSeq, exit.seq);
    sorter.add(output(1));
    assert.equal(seqs().at(-1), EARLY_EVENTS + 1);
    clock.advance(HOLE_MS);
    assert.equal(state.fetches, 1);
    sorter.addRead(Array.from({ length: 98 }, (_, index) => output(EARLY_EVENTS + 2 + index)));
    assert.equal(seqs().at(-1), exit.seq);
  });

  it('knows one exit and one close', () => {
    const { sorter, seqs } = setup();
    sorter.add({ type: 'exited', seq: 2, status: { exitCode: 0 } });
    for (let seq = 3; seq < EARLY_EVENTS * 2; seq++) {
      sorter.add({ type: 'exited', seq, status: { exitCode: 1 } });
      sorter.add({ type: 'closed', seq: seq + 1 });
    }
    sorter.add(output(1));
    sorter.add(output(3));
    assert.deepEqual(seqs(), [1, 2, 3, 4]);
  });
});
