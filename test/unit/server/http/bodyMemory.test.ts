import assert from 'node:assert/strict';

import { BodyMemory } from '../../../../src/server/methods/http/body.js';

describe('The memory of buffered bodies', () => {
  async function* body(...sizes: number[]) {
    for (const size of sizes) yield await Promise.resolve(new Uint8Array(size));
  }
  const same = (bytes: Uint8Array) => Promise.resolve(bytes);
  const memory = () => new BodyMemory({ one: 10, all: 15 });

  it('takes a body up to its limit, and no more', async () => {
    assert.equal((await memory().collect(body(4, 6), same)).length, 10);
    await assert.rejects(
      memory().collect(body(4, 7), same),
      /^WireError: failed to read http\/request response body: it is larger than 10 bytes; ask for it with streamResponse$/,
    );
  });

  it('takes bodies at once up to a limit of their own', async () => {
    const one = memory();
    const results = await Promise.allSettled([one.collect(body(5, 4), same), one.collect(body(5, 4), same)]);
    assert.deepEqual(results.map(({ status }) => status).sort(), ['fulfilled', 'rejected']);
  });

  it('counts a body until it is answered', async () => {
    const one = memory();
    let answered: () => void = () => undefined;
    const first = one.collect(body(10), () => new Promise<void>((resolve) => (answered = resolve)));
    await assert.rejects(
      one.collect(body(6), same),
      /under way are larger than 15 bytes; ask for fewer at once$/,
    );
    answered();
    await first;
    assert.equal((await one.collect(body(6), same)).length, 6);
  });

  it('is free again after bodies that ended or broke', async () => {
    const one = memory();
    for (let round = 0; round < 3; round += 1) {
      await one.collect(body(10), same);
      await assert.rejects(one.collect(body(11), same));
      await assert.rejects(one.collect(broken(), same), /broken/);
    }
    assert.equal((await one.collect(body(10), same)).length, 10);
  });

  async function* broken() {
    yield await Promise.resolve(new Uint8Array(9));
    throw new Error('broken');
  }
});
