import assert from 'node:assert/strict';

import fc from 'fast-check';

import { ChunkRing, type OutputChunk, type OutputStream } from '../../../src/core/index.js';
import { utf8 } from '../../support/bytes.js';

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

  it('copies what it takes and what it gives', () => {
    const ring = new ChunkRing({ bytes: 100, chunks: 10 });
    const bytes = utf8('abc');
    ring.push(1, 'stdout', bytes);
    bytes.fill(0);
    ring.at(0).bytes.fill(0);
    assert.equal(Buffer.from(ring.at(0).bytes).toString(), 'abc');
  });

  it('is the newest chunks of a plain list, whatever comes', () => {
    const step = fc.oneof(
      { weight: 20, arbitrary: fc.record({ size: fc.integer({ min: 1, max: 40 }) }) },
      { weight: 1, arbitrary: fc.record({ evictTo: fc.integer({ min: 0, max: 100 }) }) },
      { weight: 1, arbitrary: fc.constant({ compact: true }) },
    );
    const limits = fc.record({
      bytes: fc.integer({ min: 0, max: 100 }),
      chunks: fc.integer({ min: 0, max: 20 }),
    });
    fc.assert(
      fc.property(limits, fc.array(step, { maxLength: 200, size: 'max' }), ({ bytes, chunks }, steps) => {
        const ring = new ChunkRing({ bytes, chunks });
        const all: OutputChunk[] = [];
        let kept: OutputChunk[] = [];
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
          assert.equal(ring.retainedBytes, sizeOfKept());
          assert.deepEqual(ring.evicted, {
            bytes: gone.reduce((total, chunk) => total + chunk.bytes.length, 0),
            chunks: gone.length,
            throughSeq: gone.at(-1)?.seq ?? 0,
          });
        }
      }),
    );
  });

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

  it('holds no more than its bound, whatever that is', () => {
    const ring = new ChunkRing({ bytes: 1_000_000, chunks: 70 });
    for (let seq = 1; seq <= 200; seq++) {
      ring.push(seq, 'pty', new Uint8Array(20_000));
    }
    assert.equal(ring.retainedBytes, 1_000_000);
    assert.equal(ring.allocatedBytes, 1_000_000 + 64 * 13);
  });

  it('costs little while there is little', () => {
    const ring = new ChunkRing({ bytes: MIB, chunks: 50_000 });
    const allocated = [ring.allocatedBytes];
    ring.push(1, 'stdout', utf8('a line\n'));
    allocated.push(ring.allocatedBytes);
    ring.compact();
    allocated.push(ring.allocatedBytes);
    // The first step of both rings; then seven bytes, and thirteen for the chunk.
    assert.deepEqual(allocated, [0, 1_024 + 16 * 13, 7 + 13]);
  });
});
