import assert from 'node:assert/strict';

import {
  type EndedReceipt,
  missingEnd,
  type MissingOutput,
  type PastOutputs,
  pastReader,
  type PrintedAmount,
  readPast,
} from '../../../../src/core/index.js';

/** Chunks that fill a page each, with a gap between two of them. */
const SEQS = [1, 2, 3, 7, 8];
const GAP: MissingOutput = { fromSeq: 4, throughSeq: 6, chunks: 3, bytes: 30 };

/** Gives one chunk a page, with the gap after it, as files do. */
const outputs: PastOutputs = {
  names: () => Promise.resolve(new Set(['p'])),
  read: (name, { afterSeq }) => {
    const seq = name === 'p' ? SEQS.find((one) => one > afterSeq) : undefined;
    const chunks = seq === undefined ? [] : [{ seq, stream: 'stdout' as const, bytes: Uint8Array.of(seq) }];
    return Promise.resolve({ chunks, missing: seq === 3 || afterSeq === 3 ? [GAP] : [] });
  },
  through: () => Promise.resolve(undefined),
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

  describe('at its end', () => {
    const exit = { kind: 'exit', at: 1, status: { exitCode: 0 } } as const;
    const missingOf = (
      through: PrintedAmount | undefined,
      receipt: Partial<Pick<EndedReceipt, 'end' | 'bytes' | 'outputOpen'>>,
    ) =>
      missingEnd(
        { ...outputs, through: (name) => Promise.resolve(name === 'p' ? through : undefined) },
        { id: 'p', end: exit, bytes: 100, ...receipt },
      );

    it('lacks what its receipt has counted, and is not there', async () => {
      assert.equal(await missingOf({ bytes: 100 }, {}), undefined);
      assert.deepEqual(await missingOf({ bytes: 70 }, {}), { bytes: 30 });
      assert.equal(await missingOf(undefined, {}), undefined, 'nothing is kept at all');
    });

    it('may lack something where the end was not seen, or a gap has no known size', async () => {
      const lost = { end: { kind: 'lost', at: 1 } } as const;
      for (const open of [lost, { outputOpen: true }] as const) {
        assert.deepEqual(await missingOf({ bytes: 70 }, open), {});
      }
      assert.deepEqual(await missingOf({}, {}), {});
    });
  });
});
