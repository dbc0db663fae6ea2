import assert from 'node:assert/strict';

import { until } from '../../support/until.js';
import { DETACHED_MS, useServer } from '../inProcess.js';
import { cut } from './cut.js';

describe('A server that nobody uses', () => {
  let idle = 0;
  const fixture = useServer({ whenIdle: { afterMs: 50_000, run: () => (idle += 1) } });

  it('says so when neither a connection nor a session is left', async () => {
    idle = 0;
    fixture.clock.advance(49_999);
    const client = await fixture.client();
    fixture.clock.advance(1_000_000);
    await cut(client);
    await until(() => fixture.clock.pendingTimers > 0);
    fixture.clock.advance(DETACHED_MS);
    fixture.clock.advance(49_999);
    assert.equal(idle, 0);
    fixture.clock.advance(1);
    assert.equal(idle, 1);
  });
});
