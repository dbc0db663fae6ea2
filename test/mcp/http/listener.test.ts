import assert from 'node:assert/strict';
import net from 'node:net';

import { MOST_STRANGERS } from '../../../src/core/index.js';
import { MOST_CONNECTIONS } from '../../../src/mcp/limits.js';
import { silentSockets } from '../../support/silentSockets.js';
import { until } from '../../support/until.js';
import { INITIALIZE, TOKEN, useHttpServer } from './setup.js';

describe('MCP over HTTP', () => {
  const mcp = useHttpServer();
  const { connect, post, serve } = mcp;

  it('takes another port if its given one is taken', async () => {
    const other = await serve(mcp.server.port);
    assert.notEqual(other.port, mcp.server.port);
    assert.equal(new URL(other.url).port, String(other.port));
    await other.dispose();
  });

  it('takes its given port if it is free', async () => {
    const { port } = mcp.server;
    await mcp.server.dispose();
    mcp.server = await serve(port);
    assert.equal(mcp.server.port, port);
    assert.equal(mcp.server.url, `http://127.0.0.1:${port}/mcp`);
  });

  it('stops when it is disposed, even with clients connected', async () => {
    const socket = net.connect(mcp.server.port, '127.0.0.1');
    const closed = new Promise((resolve) => socket.once('close', resolve));
    socket.on('error', () => undefined);
    socket.write('POST /mcp HTTP/1.1\r\n');
    const client = await connect({ era: 'legacy' });
    await mcp.server.dispose();
    await closed;
    await client.close();
    await mcp.server.dispose();
  });

  it('serves its clients, old and new, however many strangers say nothing or half a word', async () => {
    const old = await mcp.openStream('GET', (await post(INITIALIZE)).headers['mcp-session-id']);
    assert.equal(old.statusCode, 200);
    // More than the server takes in all: if strangers could stay, no other client would get in.
    const many = MOST_CONNECTIONS + MOST_STRANGERS + 100;
    const strangers = await silentSockets(many, mcp.server.port, 'POST /mcp HTTP/1.1\r\n');
    assert.equal((await post(INITIALIZE)).status, 200);
    await until(() => strangers.open <= MOST_STRANGERS);
    assert.equal(old.closed, false);
    strangers.destroy();
    old.destroy();
  });

  it('logs one short line for whatever comes', async () => {
    assert.equal((await post({ jsonrpc: '2.0', id: 1, method: 'x\u001b]0;\r\ny' })).status, 400);
    const { 'mcp-session-id': session } = (await post(INITIALIZE)).headers;
    const cancel = { jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: {} } };
    await post(cancel, { 'mcp-session-id': session?.toString() });
    await post(
      { jsonrpc: '2.0', id: 7, result: { text: 'z\n'.repeat(100_000) } },
      { 'mcp-session-id': session?.toString() },
    );
    assert.ok(mcp.logged.length >= 3);
    for (const line of mcp.logged) {
      assert.match(line, /^MCP: [^\p{C}]{1,300}$/u);
      assert.ok(!line.includes(TOKEN));
    }
  });
});
