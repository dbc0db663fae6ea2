import assert from 'node:assert/strict';

import { IDLE_SESSION_MS, MOST_SESSIONS, RESUME_MS } from '../../../src/mcp/limits.js';
import { until } from '../../support/until.js';
import { textOf } from '../clients.js';
import { INITIALIZE, useHttpServer } from './setup.js';

/** The timers of an unused session: one for itself, one for its last answer. */
const IDLE_TIMERS = 2;

describe('MCP over HTTP', () => {
  const mcp = useHttpServer();
  const { connect, post } = mcp;

  it('does not know an MCP session that has ended', async () => {
    const begun = await post(INITIALIZE);
    const id = begun.headers['mcp-session-id']?.toString() ?? assert.fail();
    const list = { jsonrpc: '2.0', id: 2, method: 'tools/list' };
    assert.equal((await post(list, { 'mcp-session-id': id })).status, 200);
    assert.equal((await post(undefined, { 'mcp-session-id': id }, '/mcp', 'DELETE')).status, 200);
    assert.equal((await post(list, { 'mcp-session-id': id })).status, 404);
    assert.equal((await post(list, { 'mcp-session-id': 'made-up' })).status, 404);
    assert.equal((await post(list)).status, 400);
  });

  it('ends an MCP session that nobody uses', async () => {
    const begun = await post(INITIALIZE);
    const id = begun.headers['mcp-session-id']?.toString() ?? assert.fail();
    const list = { jsonrpc: '2.0', id: 2, method: 'tools/list' };
    const status = async () => (await post(list, { 'mcp-session-id': id })).status;
    await until(() => mcp.clock.pendingTimers, IDLE_TIMERS);
    mcp.clock.advance(IDLE_SESSION_MS - 1);
    assert.equal(await status(), 200);
    await until(() => mcp.clock.pendingTimers, IDLE_TIMERS);
    mcp.clock.advance(IDLE_SESSION_MS - 1);
    assert.equal(await status(), 200, 'it counts from the last use');
    await until(() => mcp.clock.pendingTimers, IDLE_TIMERS);
    mcp.clock.advance(IDLE_SESSION_MS);
    assert.equal(await status(), 404);
    assert.equal(mcp.clock.pendingTimers, 0);
  });

  it('ends the MCP session that was used the longest ago when there are too many', async () => {
    const begin = async () => (await post(INITIALIZE)).headers['mcp-session-id']?.toString() ?? assert.fail();
    const list = { jsonrpc: '2.0', id: 2, method: 'tools/list' };
    const status = async (id: string) => (await post(list, { 'mcp-session-id': id })).status;
    const first = await begin();
    const second = await begin();
    for (let begun = 2; begun < MOST_SESSIONS; begun++) await begin();
    assert.equal(await status(first), 200);
    await begin();
    assert.equal(await status(first), 200);
    assert.equal(await status(second), 404);
    assert.match(mcp.logged.join('\n'), /more than 200 MCP sessions/);
  });

  it('does not end an MCP session in use in favour of unused ones', async () => {
    const client = await connect({ era: 'legacy' });
    const result = client.callTool({ name: 'look' });
    const call = await mcp.tools.nextCall();
    for (let begun = 0; begun <= MOST_SESSIONS; begun++) await post(INITIALIZE);
    assert.match(mcp.logged.join('\n'), /more than 200 MCP sessions/);
    assert.equal(call.caller.signal?.aborted, false);
    call.reply({ text: 'still here' });
    assert.equal(textOf(await result), 'still here');
  });

  it('counts an open stream as use', async () => {
    const client = await connect({ era: 'legacy' });
    // The client opens its stream after it has been let in.
    await until(() => {
      mcp.clock.advance(RESUME_MS);
      return mcp.clock.pendingTimers === 0;
    });
    mcp.clock.advance(10 * IDLE_SESSION_MS);
    assert.equal((await client.listTools()).tools.length, 2);
  });
});
