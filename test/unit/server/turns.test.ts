import assert from 'node:assert/strict';

import { Turns } from '../../../src/server/methods/turns.js';

describe('Turns', () => {
  it('let so many run at once, and the others in their order', async () => {
    const turns = new Turns(2);
    const begun: number[] = [];
    const ends: (() => void)[] = [];
    const all = Array.from({ length: 5 }, (_, index) =>
      turns.run(() => {
        begun.push(index);
        return new Promise<void>((resolve) => ends.push(resolve));
      }),
    );
    for (const expected of [
      [0, 1],
      [0, 1, 2],
      [0, 1, 2, 3],
      [0, 1, 2, 3, 4],
    ]) {
      await new Promise((resolve) => setImmediate(resolve));
      assert.deepEqual(begun, expected);
      ends.shift()?.();
    }
    ends.forEach((end) => end());
    await Promise.all(all);
  });

  it('go on behind one that fails', async () => {
    const turns = new Turns(1);
    const failed = assert.rejects(
      turns.run(() => Promise.reject(new Error('no'))),
      /no/,
    );
    assert.equal(await turns.run(() => Promise.resolve('next')), 'next');
    await failed;
    assert.equal(await turns.run(() => Promise.resolve('last')), 'last');
  });
});
