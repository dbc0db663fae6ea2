import assert from 'node:assert/strict';

import type { WriteStatus } from '../../../src/core/index.js';
import { WriteIds } from '../../../src/server/sessions/processInput.js';

describe('The names of writes', () => {
  const counting = (answer: () => Promise<WriteStatus> = () => Promise.resolve('accepted')) => {
    let times = 0;
    const write = () => {
      times += 1;
      return answer();
    };
    return { write, times: () => times };
  };

  it('are remembered as far as the limit goes, the latest', async () => {
    const ids = new WriteIds(3);
    const { write, times } = counting();
    for (const id of ['1', '2', '3', '4']) {
      assert.equal(await ids.once(id, write), 'accepted');
    }
    assert.equal(times(), 4);
    await ids.once('2', write);
    await ids.once('4', write);
    assert.equal(times(), 4);
    await ids.once('1', write);
    assert.equal(times(), 5);
  });

  it('join a write that is under way', async () => {
    const ids = new WriteIds(3);
    let accept: (status: WriteStatus) => void = () => undefined;
    const { write, times } = counting(() => new Promise((resolve) => (accept = resolve)));
    const both = [ids.once('1', write), ids.once('1', write)];
    accept('accepted');
    assert.deepEqual(await Promise.all(both), ['accepted', 'accepted']);
    assert.equal(times(), 1);
  });

  it('can be used again if nothing was written', async () => {
    const ids = new WriteIds(3);
    await assert.rejects(ids.once('1', () => Promise.reject(new Error('no'))));
    assert.equal(await ids.once('1', () => Promise.resolve('stdinClosed')), 'stdinClosed');
    const { write, times } = counting();
    await ids.once('1', write);
    await ids.once('1', write);
    assert.equal(times(), 1);
  });

  it('are told apart however long they are', async () => {
    const ids = new WriteIds(10);
    const { write, times } = counting();
    for (const end of ['a', 'b', 'a']) {
      await ids.once('x'.repeat(100_000) + end, write);
    }
    assert.equal(times(), 2);
  });
});
