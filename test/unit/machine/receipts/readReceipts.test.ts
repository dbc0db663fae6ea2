import assert from 'node:assert/strict';

import { settled } from '../../../../src/machine/receipts/readReceipts.js';
import { sampleReceipt } from '../../../support/sampleReceipt.js';

describe('A receipt without an end', () => {
  const { startedAt } = sampleReceipt('p');
  const endOf = (lastSign?: number) => {
    const runs = lastSign === undefined ? [] : [['r', { runs: false, lastSign, guarded: [] }] as const];
    return settled({ receipt: sampleReceipt('p'), run: 'r', revision: 0 }, new Map(runs))?.end;
  };

  it('is lost since the last sign of life of its server, but not since before its start', () => {
    assert.deepEqual(endOf(startedAt + 1), { kind: 'lost', at: startedAt + 1 });
    assert.deepEqual(endOf(startedAt - 1), { kind: 'lost', at: startedAt });
    assert.deepEqual(endOf(), { kind: 'lost', at: startedAt });
  });
});
