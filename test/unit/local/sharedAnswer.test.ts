import assert from 'node:assert/strict';

import { SharedAnswer } from '../../../src/local/sharedAnswer.js';

describe('A shared answer', () => {
  /** Questions that the test has to answer. */
  function setUp() {
    const asked: { resolve: (answer: number) => void; reject: (error: Error) => void }[] = [];
    const shared = new SharedAnswer(
      () => new Promise<number>((resolve, reject) => asked.push({ resolve, reject })),
    );
    return { asked, shared };
  }
  const turn = () => new Promise((resolve) => setImmediate(resolve));

  it('is asked for once for all simultaneous callers', async () => {
    const { asked, shared } = setUp();
    const answers = [shared.get(), shared.get(), shared.get()];
    await turn();
    assert.equal(asked.length, 1);
    asked[0]?.resolve(7);
    assert.deepEqual(await Promise.all(answers), [7, 7, 7]);
  });

  it('is never older than the question', async () => {
    const { asked, shared } = setUp();
    const first = shared.get();
    await turn();
    const later = [shared.get(), shared.get()];
    await turn();
    assert.equal(asked.length, 1);
    asked[0]?.resolve(1);
    await turn();
    assert.equal(asked.length, 2);
    asked[1]?.resolve(2);
    assert.deepEqual(await Promise.all([first, ...later]), [1, 2, 2]);
  });

  it('rests before each question, and all who come meanwhile share it', async () => {
    const rests: (() => void)[] = [];
    let asked = 0;
    const shared = new SharedAnswer(
      () => Promise.resolve((asked += 1)),
      () => new Promise<void>((resolve) => rests.push(resolve)),
    );
    const first = shared.get();
    await turn();
    const second = shared.get();
    assert.equal(asked, 0);
    rests[0]?.();
    assert.deepEqual(await Promise.all([first, second]), [1, 1]);
    const third = shared.get();
    await turn();
    assert.equal(asked, 1);
    rests[1]?.();
    assert.equal(await third, 2);
  });

  it('that fails, fails for the callers that asked, and not for later ones', async () => {
    const { asked, shared } = setUp();
    const first = assert.rejects(shared.get(), /no/);
    await turn();
    const second = shared.get();
    asked[0]?.reject(new Error('no'));
    await first;
    await turn();
    asked[1]?.resolve(2);
    assert.equal(await second, 2);
  });
});
