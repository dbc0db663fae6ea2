import assert from 'node:assert/strict';

import type { JSONRPCMessage } from '@modelcontextprotocol/server';

import { RESUME_MS } from '../../../src/mcp/limits.js';
import { ResumableStreams } from '../../../src/mcp/resumableStreams.js';
import { FakeClock } from '../../support/fakeClock.js';

/** The message that the SDK stores before the first message of a stream. */
const PRIMING = {} as JSONRPCMessage;
const ADDRESS = 'http://127.0.0.1/mcp';

describe('A stream that can be resumed', () => {
  it('goes on when the connection that another has replaced is noticed to be gone', async () => {
    const clock = new FakeClock();
    const streams = new ResumableStreams(clock);
    const [first, second] = [new AbortController(), new AbortController()];
    const calls: Request[] = [];
    let event = '';
    await streams.serve(new Request(ADDRESS, { method: 'POST', signal: first.signal }), async (asked) => {
      calls.push(asked);
      event = await streams.storeEvent('stream', PRIMING);
      return new Response();
    });
    const isCancelled = () => calls[0]?.signal.aborted;
    const again = new Request(ADDRESS, { headers: { 'last-event-id': event }, signal: second.signal });
    await streams.serve(again, () => Promise.resolve(new Response()));
    first.abort();
    clock.advance(10 * RESUME_MS);
    assert.equal(isCancelled(), false);
    second.abort();
    clock.advance(RESUME_MS);
    assert.equal(isCancelled(), true);
  });
});
