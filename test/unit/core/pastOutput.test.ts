import assert from 'node:assert/strict';

import { type MissingOutput, type PastOutputs, pastReader, readPast } from '../../../src/core/index.js';

/** Chunks that fill a page each, with a gap between two of them. */
const SEQS = [1, 2, 3, 7, 8];
const GAP: MissingOutput = { fromSeq: 4, throughSeq: 6, chunks: 3, bytes: 30 };

/** Gives one chunk a page, and the gap behind it as well, as files do. */
const outputs: PastOutputs = {
  names: () => Promise.resolve(new Set(['p'])),
  read: (name, { afterSeq }) => {
    const seq = name === 'p' ? SEQS.find((one) => one > afterSeq) : undefined;
    const chunks = seq === undefined ? [] : [{ seq, stream: 'stdout' as const, bytes: Uint8Array.of(seq) }];
    return Promise.resolve({ chunks, missing: seq === 3 || afterSeq === 3 ? [GAP] : [] });
  },
};

describe('The output of a process that no backend has any more', () => {
  it('is read to its end, each chunk and each gap once', async () => {
    const seqs: number[] = [];
    const missing: MissingOutput[] = [];
    await readPast(outputs, 'p', (page) => {
      seqs.push(...page.chunks.map(({ seq }) => seq));
      missing.push(...page.missing);
    });
    assert.deepEqual({ seqs, missing }, { seqs: SEQS, missing: [GAP] });
  });

  it('is read on from a number', async () => {
    const seqs: number[] = [];
    await readPast(outputs, 'p', ({ chunks }) => void seqs.push(...chunks.map(({ seq }) => seq)), 2);
    assert.deepEqual(seqs, [3, 7, 8]);
  });

  it('is read by pages, as that of a process that has closed', async () => {
    const reader = pastReader(outputs, 'p');
    const seqs: number[] = [];
    for (let page = await reader.read(); page.chunks.length > 0;) {
      assert.ok(page.exited && page.closed);
      seqs.push(...page.chunks.map(({ seq }) => seq));
      page = await reader.read({ afterSeq: page.nextSeq - 1 });
    }
    assert.deepEqual(seqs, SEQS);
    assert.equal((await pastReader(outputs, 'other').read({ afterSeq: 5 })).nextSeq, 6);
  });
});
