import assert from 'node:assert/strict';

import {
  type KeptOutput,
  KeptReader,
  type MissingOutput,
  type OutputChunk,
  type ReadResponse,
} from '../../../../src/core/index.js';

const chunk = (seq: number): OutputChunk => ({ seq, stream: 'stdout', bytes: Uint8Array.of(seq) });
const range = (fromSeq: number, throughSeq: number, bytes?: number): MissingOutput => ({
  fromSeq,
  throughSeq,
  chunks: throughSeq - fromSeq + 1,
  ...(bytes !== undefined && { bytes }),
});

describe('Output that memory has let go in part', () => {
  /** Memory has from 8 on, but for 10. */
  const inMemory: ReadResponse = {
    chunks: [chunk(8), chunk(9), chunk(11)],
    nextSeq: 12,
    exited: true,
    closed: true,
    evicted: { throughSeq: 7, chunks: 7, bytes: 70 },
    missing: [range(10, 10, 5)],
  };
  const readBehind = (afterSeq: number, kept: KeptOutput) =>
    new KeptReader({ read: () => Promise.resolve(inMemory), readKept: () => Promise.resolve(kept) }).read({
      afterSeq,
    });

  it('is what the disk has of it, up to what memory has itself', async () => {
    const { chunks, missing, nextSeq } = await readBehind(4, {
      chunks: [chunk(5), chunk(7), chunk(8)],
      missing: [range(6, 6, 60)],
    });
    assert.deepEqual([chunks.map(({ seq }) => seq), missing, nextSeq], [[5, 7], [range(6, 6, 60)], 8]);
  });

  it('is missing with the size that the disk knows, where that was too slow for it', async () => {
    const { chunks, missing, evicted, nextSeq } = await readBehind(4, {
      chunks: [chunk(8)],
      missing: [range(5, 7, 333), range(10, 10, 5)],
    });
    assert.deepEqual([chunks, evicted, nextSeq], [inMemory.chunks, undefined, 12]);
    assert.deepEqual(missing, [range(5, 7, 333), range(10, 10, 5)]);
  });

  it('is missing without what memory has of a range that the disk was too slow for', async () => {
    const missingOf = async (gone: MissingOutput) =>
      (await readBehind(4, { chunks: [], missing: [gone, range(10, 10, 5)] })).missing;
    assert.deepEqual(await missingOf(range(5, 9, 333)), [range(5, 7, 331), range(10, 10, 5)]);
    assert.deepEqual(await missingOf(range(5, 11, 333)), [range(5, 7), range(10, 10, 5)]);
  });

  it('is missing with its size where memory has the rest of the range on a later page', async () => {
    const pages: ReadResponse[] = [
      { ...inMemory, chunks: [chunk(8)], nextSeq: 9, missing: [] },
      { chunks: [chunk(9), chunk(10)], nextSeq: 11, exited: true, closed: true },
    ];
    const reader = new KeptReader({
      read: ({ afterSeq = 0 } = {}) => Promise.resolve(pages[afterSeq < 8 ? 0 : 1] ?? inMemory),
      readKept: () => Promise.resolve({ chunks: [], missing: [range(5, 10, 333)] }),
    });
    const { chunks, missing, nextSeq } = await reader.read({ afterSeq: 4 });
    assert.deepEqual([chunks, missing, nextSeq], [[chunk(8)], [range(5, 7, 330)], 9]);
  });

  it('is missing as memory says where the disk does not know all of the range', async () => {
    assert.deepEqual(await readBehind(4, { chunks: [], missing: [range(5, 6, 60)] }), inMemory);
    assert.deepEqual(await readBehind(4, { chunks: [], missing: [] }), inMemory);
  });
});
