import assert from 'node:assert/strict';

import { Semaphore } from '../../../src/core/index.js';

describe('A semaphore', () => {
  it('lets up to the limit run at once, and the others in their order', async () => {
    const semaphore = new Semaphore(2);
    const begun: number[] = [];
    const ends: (() => void)[] = [];
    const all = Array.from({ length: 5 }, (_, index) =>
      semaphore.run(() => {
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

  it('goes on after a task that fails', async () => {
    const semaphore = new Semaphore(1);
    const failed = assert.rejects(
      semaphore.run(() => Promise.reject(new Error('no'))),
      /no/,
    );
    assert.equal(await semaphore.run(() => Promise.resolve('next')), 'next');
    await failed;
    assert.equal(await semaphore.run(() => Promise.resolve('last')), 'last');
  });

  it('weighs the work that it lets in: light work waits for heavy work that came first', async () => {
    const semaphore = new Semaphore(10);
    const begun: string[] = [];
    const enter = (name: string, weight: number) => semaphore.acquire(weight).then(() => begun.push(name));
    await enter('six', 6);
    await enter('four', 4);
    const waiting = [enter('seven', 7), enter('one', 1)];
    semaphore.release(4);
    waiting.push(enter('late', 1));
    await new Promise((resolve) => setImmediate(resolve));
    assert.deepEqual(begun, ['six', 'four']);
    semaphore.release(6);
    await Promise.all(waiting);
    assert.deepEqual(begun, ['six', 'four', 'seven', 'one', 'late']);
  });

  it('lets in what is heavier than its limit, alone', async () => {
    const semaphore = new Semaphore(10);
    await semaphore.acquire(100);
    let entered = false;
    const next = semaphore.acquire(1).then(() => (entered = true));
    await new Promise((resolve) => setImmediate(resolve));
    assert.equal(entered, false);
    semaphore.release(100);
    await next;
  });
});
