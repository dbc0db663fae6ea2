import assert from 'node:assert/strict';
import { setImmediate as turn } from 'node:timers/promises';

import { OneATurn } from '../../../../src/local/child/oneATurn.js';

describe('OneATurn', () => {
  it('lets the first through without a turn, and the others one in each, in order', async () => {
    const gate = new OneATurn();
    const passed: number[] = [];
    const all = [1, 2, 3].map((number) => gate.pass().then(() => passed.push(number)));
    await Promise.resolve();
    await Promise.resolve();
    assert.deepEqual(passed, [1]);
    const seen: number[] = [];
    while (passed.length < 3) {
      await turn();
      seen.push(passed.length);
    }
    // No two of them were in the same turn.
    assert.ok(seen.every((count, index) => count - (seen[index - 1] ?? 1) <= 1));
    assert.deepEqual(passed, [1, 2, 3]);
    await Promise.all(all);
    await turn();
    await turn();
    await gate.pass();
  });
});
