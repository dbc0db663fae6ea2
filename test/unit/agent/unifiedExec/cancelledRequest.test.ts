import assert from 'node:assert/strict';

import { setUp, settle } from './setup.js';

describe('a unified exec request that is cancelled', () => {
  it('ends at once, and neither the process nor output with it', async () => {
    const { open, begin, clock, request } = setUp();
    const { sessionId, process } = await open();
    const cancel = new AbortController();
    const pending = await begin({ sessionId, inputChunks: [], timeoutMs: 10_000, signal: cancel.signal });
    process.prints('kept');
    cancel.abort();
    await settle();
    assert.equal(pending.answered, true);
    assert.equal(clock.pendingTimers, 0);
    assert.deepEqual(await request({ sessionId, inputChunks: [] }), { sessionId, output: 'kept' });
  });

  it('keeps the session that it has started', async () => {
    const { begin, manager } = setUp();
    const cancel = new AbortController();
    const pending = await begin({ inputChunks: ['cat'], signal: cancel.signal });
    cancel.abort();
    await pending.result;
    assert.deepEqual(manager.sessionIds, [0]);
  });

  it('starts nothing if it was cancelled before', async () => {
    const { begin, backend } = setUp();
    const { result } = await begin({ inputChunks: ['cat'], signal: AbortSignal.abort() });
    await assert.rejects(result, { name: 'AbortError' });
    assert.equal(backend.processes.length, 0);
  });
});
