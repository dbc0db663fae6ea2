import assert from 'node:assert/strict';

import { until } from '../../support/until.js';
import { INITIALIZE, useHttpServer } from './setup.js';

describe('MCP over HTTP', () => {
  const mcp = useHttpServer();
  const { openStream, post } = mcp;

  it('begins the stream of a call before there is anything on it', async () => {
    const { 'mcp-session-id': session } = (await post(INITIALIZE)).headers;
    const stream = await openStream('POST', session, {
      jsonrpc: '2.0',
      id: 2,
      method: 'tools/call',
      params: { name: 'look' },
    });
    assert.equal(stream.statusCode, 200);
    // Without the early beginning, the headers would come only with the first keep-alive message.
    assert.equal(stream.read(), null);
    (await mcp.tools.nextCall()).reply({ text: 'There.' });
    assert.match((await stream.setEncoding('utf8').toArray()).join(''), /There\./);
  });

  it('lets a client open its stream again as soon as the one before has broken', async function () {
    // The next keep-alive on a stream, which would reveal the break as well, comes only after 15 s.
    this.timeout(40_000);
    const { 'mcp-session-id': session } = (await post(INITIALIZE)).headers;
    for (let attempt = 0; attempt < 3; attempt++) {
      let stream = await openStream('GET', session);
      await until(async () => {
        if (stream.statusCode !== 409) return true;
        stream.destroy();
        stream = await openStream('GET', session);
        return false;
      });
      assert.equal(stream.statusCode, 200);
      assert.equal((await openStream('GET', session)).statusCode, 409, 'one at a time');
      stream.destroy();
    }
  });
});
