import assert from 'node:assert/strict';

import { serveMcpOverHttp } from '../../../src/mcp/index.js';
import { INITIALIZE, TOKEN, useHttpServer } from './setup.js';

const LOCAL_PAGE = { origin: 'http://localhost:6274' };

describe('MCP over HTTP', () => {
  const mcp = useHttpServer();
  const { post } = mcp;

  for (const [what, headers, status] of [
    ['without a token', { authorization: undefined }, 401],
    ['with another token', { authorization: 'Bearer correct-horse-battery-stapl' }, 401],
    ['with a longer token', { authorization: `Bearer ${TOKEN}e` }, 401],
    ['with the token in another scheme', { authorization: `Basic ${TOKEN}` }, 401],
    ['with an empty token', { authorization: 'Bearer ' }, 401],
    ['from a web page', { origin: 'https://example.com' }, 403],
    ['from a web page whose name begins like this machine', { origin: 'http://localhost.evil.example' }, 403],
    ['from a web page with a user', { origin: 'http://localhost:80@evil.example' }, 403],
    ['from a web page of another kind', { origin: 'https://localhost:3000' }, 403],
    ['from a web page of this machine', { origin: 'http://localhost:3000' }, 200],
    ['from a web page at the address', { origin: 'http://127.0.0.1' }, 200],
    ['from a web page at the other address', { origin: 'http://[::1]:6274' }, 200],
    ['from a web page of this machine, without a token', { ...LOCAL_PAGE, authorization: undefined }, 401],
    [
      'from a web page of this machine, with another token',
      { ...LOCAL_PAGE, authorization: 'Bearer x' },
      401,
    ],
    ['from a page without an origin', { origin: 'null' }, 403],
    ['under another name', { host: 'evil.example:80' }, 403],
    ['under a name that begins like the right one', { host: '127.0.0.1.evil.example' }, 403],
    ['under a name with a user', { host: 'me@127.0.0.1' }, 403],
    ['under another spelling of the address', { host: '127.1' }, 403],
    ['under the address and a path', { host: '127.0.0.1/evil.example' }, 403],
    ['under the address in capitals and with a port', { host: 'LocalHost:1' }, 200],
    ['under the address of the other family', { host: '[::1]:80' }, 200],
    ['under a known name', { host: 'localhost' }, 200],
    ['under the address', {}, 200],
  ] as const) {
    it(`answers ${status} to a client ${what}`, async () => {
      const answer = await post(INITIALIZE, headers);
      assert.equal(answer.status, status, answer.body);
      assert.equal(answer.headers['www-authenticate'], status === 401 ? 'Bearer' : undefined);
      assert.ok(!answer.body.includes(TOKEN));
    });
  }

  for (const path of ['/', '/mcp/', '/.well-known/oauth-protected-resource', '/mcp2']) {
    it(`has nothing at ${path}`, async () => {
      assert.equal((await post(INITIALIZE, {}, path)).status, 404);
    });
  }

  for (const method of ['PUT', 'OPTIONS', 'TRACE', 'PATCH']) {
    it(`does not know ${method}`, async () => {
      const { status, headers } = await post(undefined, {}, '/mcp', method);
      assert.equal(status, 405);
      assert.equal(headers.allow, 'POST, GET, DELETE');
      assert.equal((await post(undefined, { authorization: undefined }, '/mcp', method)).status, 401);
    });
  }

  it('lets pages of this machine read its answers, and no others', async () => {
    for (const authorization of [`Bearer ${TOKEN}`, undefined]) {
      const { headers } = await post(INITIALIZE, { ...LOCAL_PAGE, authorization });
      assert.equal(headers['access-control-allow-origin'], LOCAL_PAGE.origin);
      assert.match(headers['access-control-expose-headers'] ?? '', /mcp-session-id/);
      assert.equal(headers.vary, 'origin');
    }
    for (const origin of ['https://example.com', 'null', undefined]) {
      const { headers } = await post(INITIALIZE, { origin });
      assert.equal(headers['access-control-allow-origin'], undefined);
    }
  });

  it('answers the question of a browser before a request of such a page, which has no token', async () => {
    const ask = (origin: string, path?: string) =>
      post(
        undefined,
        {
          origin,
          'authorization': undefined,
          'access-control-request-method': 'POST',
          'access-control-request-headers': 'authorization,content-type,mcp-method',
        },
        path,
        'OPTIONS',
      );
    const { status, headers, body } = await ask(LOCAL_PAGE.origin);
    assert.deepEqual([status, body], [204, '']);
    assert.equal(headers['access-control-allow-origin'], LOCAL_PAGE.origin);
    assert.equal(headers['access-control-allow-methods'], 'POST, GET, DELETE');
    assert.equal(headers['access-control-allow-headers'], 'authorization,content-type,mcp-method');
    assert.equal((await ask('https://example.com')).status, 403);
    assert.equal((await ask(LOCAL_PAGE.origin, '/other')).status, 404);
    assert.deepEqual(mcp.tools.calls, []);
  });

  it('takes no token that cannot be sent', async () => {
    for (const token of ['', 'a b', 'ü', 'a\nb']) {
      await assert.rejects(
        serveMcpOverHttp({ tools: mcp.tools, token, port: 0, version: '1.2.3' }),
        /visible ASCII characters/,
      );
    }
  });
});
