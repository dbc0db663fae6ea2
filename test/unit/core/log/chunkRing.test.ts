import assert from 'node:assert/strict';

import fc from 'fast-check';

import {
  ChunkRing,
  DEFAULT_LOG_LIMITS,
  type OutputChunk,
  type OutputStream,
} from '../../../../src/core/index.js';
import { utf8 } from '../../../support/bytes.js';

const MIB = 1024 * 1024;

const contents = (ring: ChunkRing): OutputChunk[] =>
  Array.from({ length: ring.count }, (_, index) => ring.at(index));

describe('ChunkRing', () => {
  it('keeps chunks as they came', () => {
    const ring = new ChunkRing({ bytes: 100, chunks: 10 });
    ring.push(1, 'stdout', utf8('one'));
    ring.push(3, 'stderr', utf8('two'));
    ring.push(4, 'pty', utf8('three'));
    assert.deepEqual(
      contents(ring).map(({ seq, stream, bytes }) => [seq, stream, Buffer.from(bytes).toString()]),
      [
        [1, 'stdout', 'one'],
        [3, 'stderr', 'two'],
        [4, 'pty', 'three'],
      ],
    );
    assert.deepEqual(
      [0, 1, 2, 3, 4, 9].map((seq) => ring.indexAfter(seq)),
      [0, 1, 1, 2, 3, 3],
    );
  });

  it('copies chunks on the way in and out', () => {
    const ring = new ChunkRing({ bytes: MIB, chunks: 10 });
    for (const [index, size] of [3, 100_000].entries()) {
      const bytes = new Uint8Array(size).fill(1);
      ring.push(index, 'stdout', bytes);
      bytes.fill(2);
      ring.at(index).bytes.fill(3);
      assert.deepEqual(ring.at(index).bytes, new Uint8Array(size).fill(1));
    }
  });

  // Small chunks alone, and then chunks of all sizes, some of them larger than the memory that small ones share.
  for (const [largest, largestBound] of [
    [40, 100],
    [20_000, 200_000],
  ] as const) {
    it(`is the newest chunks of a plain list, whatever comes, up to ${largest} bytes @property`, () =>
      checkAgainstList(largest, largestBound));
  }

  function checkAgainstList(largest: number, largestBound: number): void {
    const step = fc.oneof(
      { weight: 20, arbitrary: fc.record({ size: fc.integer({ min: 1, max: largest }) }) },
      { weight: 1, arbitrary: fc.record({ evictTo: fc.integer({ min: 0, max: largestBound }) }) },
      { weight: 1, arbitrary: fc.constant({ compact: true }) },
    );
    const limits = fc.record({
      bytes: fc.integer({ min: 0, max: largestBound }),
      chunks: fc.integer({ min: 0, max: 20 }),
    });
    fc.assert(
      fc.property(limits, fc.array(step, { maxLength: 200, size: 'max' }), ({ bytes, chunks }, steps) => {
        const ring = new ChunkRing({ bytes, chunks });
        const all: OutputChunk[] = [];
        let kept: OutputChunk[] = [];
        /** The chunks handed out so far, which must not change. */
        const given = new Map<number, OutputChunk>();
        const sizeOfKept = () => kept.reduce((total, chunk) => total + chunk.bytes.length, 0);
        for (const [index, taken] of steps.entries()) {
          if ('size' in taken) {
            const stream: OutputStream = index % 2 === 0 ? 'stdout' : 'stderr';
            const chunk = { seq: index + 1, stream, bytes: new Uint8Array(taken.size).fill(index) };
            ring.push(chunk.seq, stream, chunk.bytes);
            all.push(chunk);
            kept.push(chunk);
            while (kept.length > chunks || sizeOfKept() > bytes) {
              kept.shift();
            }
          } else if ('evictTo' in taken) {
            ring.evictTo(taken.evictTo);
            while (sizeOfKept() > taken.evictTo) {
              kept = kept.slice(1);
            }
          } else {
            ring.compact();
          }
          const gone = all.slice(0, all.length - kept.length);
          assert.deepEqual(contents(ring), kept);
          contents(ring).forEach((chunk) => given.set(chunk.seq, chunk));
          assert.equal(ring.retainedBytes, sizeOfKept());
          assert.deepEqual(ring.evicted, {
            bytes: gone.reduce((total, chunk) => total + chunk.bytes.length, 0),
            chunks: gone.length,
            throughSeq: gone.at(-1)?.seq ?? 0,
          });
        }
        const seen = all.filter(({ seq }) => given.has(seq));
        assert.deepEqual([...given.values()], seen);
      }),
    );
  }

  it('counts a chunk above the bound as evicted, with all before it', () => {
    const ring = new ChunkRing({ bytes: 3, chunks: 10 });
    ring.push(1, 'stdout', utf8('ok'));
    ring.push(2, 'stdout', utf8('large'));
    assert.equal(ring.count, 0);
    assert.deepEqual(ring.evicted, { bytes: 7, chunks: 2, throughSeq: 2 });
  });

  for (const [size, bound] of [
    [16, 2 * MIB],
    [256, 1.3 * MIB],
    [4_096, 1.3 * MIB],
    [65_536, 1.3 * MIB],
  ] as const) {
    it(`holds a MiB in chunks of ${size} in at most ${bound} bytes`, () => {
      const ring = new ChunkRing({ bytes: MIB, chunks: 2 ** 20 });
      for (let seq = 1; seq <= (3 * MIB) / size; seq++) {
        ring.push(seq, 'stdout', new Uint8Array(size));
      }
      assert.equal(ring.retainedBytes, MIB);
      assert.ok(ring.allocatedBytes <= bound, `${ring.allocatedBytes} bytes`);
    });
  }

  it('holds as many chunks as a log does by default, of however few bytes, in at most 2 MiB', () => {
    const ring = new ChunkRing(DEFAULT_LOG_LIMITS);
    const pushed = 200_000;
    for (let seq = 1; seq <= pushed; seq++) {
      ring.push(seq, 'stdout', new Uint8Array(16));
    }
    assert.equal(ring.count, 50_000);
    assert.equal(ring.retainedBytes, 50_000 * 16);
    const gone = pushed - 50_000;
    assert.deepEqual(ring.evicted, { bytes: gone * 16, chunks: gone, throughSeq: gone });
    assert.ok(ring.allocatedBytes <= 2 * MIB, `${ring.allocatedBytes} bytes`);
  });

  it('holds at most a quarter more than its bound, whatever the sizes of the chunks @property', () => {
    const sizes = fc.array(fc.integer({ min: 64, max: 20_000 }), { minLength: 1, maxLength: 5 });
    fc.assert(
      fc.property(sizes, (cycle) => {
        const ring = new ChunkRing({ bytes: MIB, chunks: 50_000 });
        for (let seq = 1, taken = 0; taken < 2 * MIB; seq++) {
          const size = cycle[seq % cycle.length] ?? 0;
          taken += size;
          ring.push(seq, 'stdout', new Uint8Array(size));
        }
        const index = ring.count * 2 * 13;
        assert.ok(ring.allocatedBytes <= 1.25 * MIB + index, `${ring.allocatedBytes} bytes`);
      }),
    );
  });

  it('fills the same memory again and again', () => {
    const ring = new ChunkRing({ bytes: MIB, chunks: 1_000 });
    const allocated = new Set<number>();
    for (let seq = 1; seq <= 400; seq++) {
      ring.push(seq, 'pty', new Uint8Array(20_000));
      if (seq > 200) {
        allocated.add(ring.allocatedBytes);
      }
    }
    assert.equal(allocated.size, 1);
  });

  it('holds no more than that after it was made smaller, and goes on', () => {
    const ring = new ChunkRing({ bytes: MIB, chunks: 1_000 });
    for (let seq = 1; seq <= 1_000; seq++) {
      ring.push(seq, 'stdout', new Uint8Array(5_000));
      if (seq % 300 === 0) {
        ring.evictTo(MIB - 100_000);
        ring.compact();
      }
      assert.ok(ring.allocatedBytes <= ring.retainedBytes + 3 * 64 * 1024 + ring.count * 2 * 13);
    }
  });

  it('costs little while there is little', () => {
    const ring = new ChunkRing({ bytes: MIB, chunks: 50_000 });
    const allocated = [ring.allocatedBytes];
    ring.push(1, 'stdout', utf8('a line\n'));
    allocated.push(ring.allocatedBytes);
    ring.compact();
    allocated.push(ring.allocatedBytes);
    // First the initial size of both rings; then, after compacting, seven bytes of text and thirteen for the chunk.
    assert.deepEqual(allocated, [0, 1_024 + 16 * 13, 7 + 13]);
  });
});
