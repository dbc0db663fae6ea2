import assert from 'node:assert/strict';

import { useServer } from '../inProcess.js';
import { cut } from './cut.js';

describe('A task of an agent', () => {
  describe('on a private socket', () => {
    const fixture = useServer({ reach: 'server' });

    it('outlasts its client, and ends once for all', async () => {
      const [first, other] = [await fixture.client(), await fixture.client()];
      const keep = (text: string, isFinal: boolean) => ({ taskId: 'a', text, isFinal });
      assert.deepEqual(await first.request('task/keep', keep('waits', false)), { text: 'waits' });
      await cut(first);
      assert.deepEqual(await other.request('task/read', { taskId: 'a' }), { text: 'waits' });
      assert.deepEqual(await other.request('task/keep', keep('ended', true)), { text: 'ended' });
      const later = await fixture.client();
      assert.deepEqual(await later.request('task/keep', keep('cancelled', true)), { text: 'ended' });
      assert.deepEqual(await later.request('task/read', { taskId: 'a' }), { text: 'ended' });
      assert.deepEqual(await later.request('task/read', { taskId: 'b' }), {});
    });
  });

  describe('elsewhere', () => {
    const fixture = useServer({ reach: 'session' });

    it('is not kept', async () => {
      const client = await fixture.client();
      const [code] = await client.refused('task/read', { taskId: 'a' });
      assert.equal(code, -32601);
    });
  });
});
