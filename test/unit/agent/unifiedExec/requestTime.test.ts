import assert from 'node:assert/strict';

import { setUp, settle } from './setup.js';
import { WARNING } from './setup.js';

describe('the time of a unified exec request', () => {
  it('A2.15, A2.18 is 1,000 ms by default', async () => {
    const { begin, clock } = setUp();
    const pending = await begin({ inputChunks: ['cat'] });
    clock.advance(999);
    await settle();
    assert.equal(pending.answered, false);
    clock.advance(1);
    await settle();
    assert.equal(pending.answered, true);
    assert.deepEqual(await pending.result, { sessionId: 0, output: '' });
  });

  for (const requested of [60_001, 120_000, 2 ** 64]) {
    it(`A2.16 is cut to 60,000 ms with a warning, of ${requested}`, async () => {
      const { begin, clock, newest } = setUp();
      const pending = await begin({ inputChunks: ['echo'], timeoutMs: requested });
      newest().prints('codex\r\n');
      clock.advance(59_999);
      await settle();
      assert.equal(pending.answered, false);
      clock.advance(1);
      const { output } = await pending.result;
      assert.equal(output, `${WARNING(BigInt(requested).toString())}codex\r\n`);
    });
  }

  it('A2.17 is as it was asked for up to 60,000 ms, without a warning', async () => {
    const { begin, clock } = setUp();
    for (const timeoutMs of [1, 249, 60_000]) {
      const pending = await begin({ inputChunks: ['cat'], timeoutMs });
      clock.advance(timeoutMs - 1);
      await settle();
      assert.equal(pending.answered, false);
      clock.advance(1);
      assert.equal((await pending.result).output, '');
    }
  });

  it('A2.17 of 0 answers at once with what there is', async () => {
    const { begin, open } = setUp();
    const { sessionId, process } = await open();
    process.prints('there');
    const pending = await begin({ sessionId, inputChunks: [], timeoutMs: 0 });
    assert.deepEqual(await pending.result, { sessionId, output: 'there' });
  });

  it('A2.28 lasts to its end even if the process exits', async () => {
    const { begin, clock, newest } = setUp();
    const pending = await begin({ inputChunks: ['/bin/echo', 'codex'], timeoutMs: 1_500 });
    newest().prints('codex\r\n');
    newest().ends(0);
    clock.advance(1_499);
    await settle();
    assert.equal(pending.answered, false);
    clock.advance(1);
    assert.deepEqual(await pending.result, { output: 'codex\r\n' });
  });
});
