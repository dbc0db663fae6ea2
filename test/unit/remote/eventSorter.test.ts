import assert from 'node:assert/strict';

import fc from 'fast-check';

import { EarlyEvents, EventSorter } from '../../../src/remote/log/eventSorter.js';
import { EARLY_BYTES, EARLY_EVENTS } from '../../../src/remote/limits.js';
import type { RemoteEvent } from '../../../src/remote/session/remoteEvent.js';

function output(seq: number, size = 1): RemoteEvent {
  return { type: 'output', seq, stream: 'stdout', bytes: new Uint8Array(size) };
}

function setup() {
  const delivered: RemoteEvent[] = [];
  const sorter = new EventSorter((event) => void delivered.push(event));
  const seqs = () => delivered.map((event) => (event.type === 'gap' ? -event.throughSeq : event.seq));
  return { sorter, delivered, seqs };
}

describe('The order of what a server tells', () => {
  it('is that of its numbers, each once, however they come @property', () => {
    fc.assert(
      fc.property(
        fc.shuffledSubarray(
          Array.from({ length: 30 }, (_, index) => index + 1),
          { minLength: 30 },
        ),
        fc.array(fc.integer({ min: 1, max: 30 })),
        (order, again) => {
          const { sorter, seqs } = setup();
          for (const seq of [...order.slice(0, 15), ...again, ...order.slice(15), ...again]) {
            sorter.add(output(seq));
          }
          assert.deepEqual(
            seqs(),
            Array.from({ length: 30 }, (_, index) => index + 1),
          );
          assert.ok(!sorter.hasHole);
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

  it('goes on without a number that is given up', () => {
    const { sorter, seqs } = setup();
    sorter.giveUpHole();
    for (const seq of [1, 3, 4, 7]) {
      sorter.add(output(seq));
    }
    sorter.giveUpHole();
    assert.deepEqual([seqs(), sorter.hasHole], [[1, -2, 3, 4], true]);
    sorter.giveUpHole();
    assert.deepEqual([seqs(), sorter.hasHole], [[1, -2, 3, 4, -6, 7], false]);
  });

  it('takes from what was read only what is missing', () => {
    const { sorter, seqs } = setup();
    sorter.add(output(1));
    sorter.add(output(5));
    sorter.addRead([output(1), output(2), output(3), output(4), output(5), output(6)]);
    assert.deepEqual(seqs(), [1, 2, 3, 4, 5, 6]);
  });

  it('has no gap where output is waiting that the server dropped later', () => {
    const { sorter, delivered } = setup();
    sorter.add(output(4, 10));
    sorter.add(output(5, 10));
    sorter.addRead([{ type: 'gap', seq: 1, throughSeq: 5, totalBytes: 100 }, output(6)]);
    assert.deepEqual(
      delivered.map((event) => (event.type === 'gap' ? event : event.seq)),
      [{ type: 'gap', seq: 1, throughSeq: 3, totalBytes: 80 }, 4, 5, 6],
    );
  });

  it('says only at the last of several gaps how much was missing', () => {
    const { sorter, delivered } = setup();
    sorter.add(output(2, 10));
    sorter.addRead([{ type: 'gap', seq: 1, throughSeq: 4, totalBytes: 100 }]);
    assert.deepEqual(
      delivered.map((event) => (event.type === 'gap' ? event : event.seq)),
      [{ type: 'gap', seq: 1, throughSeq: 1 }, 2, { type: 'gap', seq: 3, throughSeq: 4, totalBytes: 100 }],
    );
  });

  it('keeps a bound, and takes what was too much when it is read', () => {
    const { sorter, seqs } = setup();
    const exit = { type: 'exited', seq: EARLY_EVENTS + 100, status: { exitCode: 0 } } as const;
    for (let seq = 2; seq < exit.seq; seq++) {
      sorter.add(output(seq));
    }
    sorter.add(exit);
    assert.equal(sorter.exitSeq, exit.seq);
    sorter.add(output(1));
    assert.equal(seqs().at(-1), EARLY_EVENTS + 1);
    assert.ok(sorter.hasHole);
    sorter.addRead(Array.from({ length: 98 }, (_, index) => output(EARLY_EVENTS + 2 + index)));
    assert.equal(seqs().at(-1), exit.seq);
  });

  it('counts what comes early again and again once', () => {
    const { sorter, seqs } = setup();
    for (let times = 0; times < 10; times++) {
      sorter.add(output(3, EARLY_BYTES / 4));
    }
    sorter.add(output(2, EARLY_BYTES / 4));
    sorter.add(output(1));
    assert.deepEqual(seqs(), [1, 2, 3]);
  });

  it('tells a gap as the server does, or the rest of one that came late', () => {
    const { sorter, delivered } = setup();
    sorter.add(output(1));
    sorter.add({ type: 'gap', seq: 2, throughSeq: 3, bytes: 7 });
    sorter.add({ type: 'gap', seq: 2, throughSeq: 5, bytes: 9, totalBytes: 10 });
    sorter.add({ type: 'gap', seq: 4, throughSeq: 6, bytes: 9 });
    assert.deepEqual(delivered.slice(1), [
      { type: 'gap', seq: 2, throughSeq: 3, bytes: 7 },
      { type: 'gap', seq: 4, throughSeq: 5, totalBytes: 10 },
      { type: 'gap', seq: 6, throughSeq: 6 },
    ]);
  });

  it('lets go of what a gap covers', () => {
    const { sorter, seqs } = setup();
    sorter.add(output(3));
    sorter.add({ type: 'gap', seq: 1, throughSeq: 4 });
    assert.deepEqual([seqs(), sorter.hasHole], [[-4], false]);
  });

  it('ends when nobody wants it any more', () => {
    const { sorter, seqs } = setup();
    sorter.add(output(2));
    sorter.dispose();
    sorter.add(output(1));
    sorter.addRead([output(1)]);
    assert.deepEqual([seqs(), sorter.hasHole], [[], false]);
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
