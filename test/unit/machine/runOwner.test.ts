import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';

import { ownerLine, ownerRuns } from '../../../src/machine/runOwner.js';

describe('The process that owns the files of a run', () => {
  const own = JSON.parse(ownerLine()) as object;
  const runs = (other: object, silentMs = 1e9) => ownerRuns(JSON.stringify({ ...own, ...other }), silentMs);

  it('runs if it is there, however long its last sign of life is ago', () => {
    assert.equal(runs({}), true);
    assert.equal(runs({ startTime: '0' }, 0), false);
  });

  it('does not run if an earlier boot had that number', () => {
    assert.equal(runs({ boot: randomUUID() }, 0), false);
  });

  it('runs in another namespace for two minutes after its last sign of life', () => {
    assert.equal(runs({ namespace: 'elsewhere', startTime: '0' }, 119_000), true);
    assert.equal(runs({ namespace: 'elsewhere' }, 121_000), false);
  });
});
