import assert from 'node:assert/strict';

import { serveMcpOverHttp } from '../../../src/mcp/index.js';
import { INITIALIZE, TOKEN, useHttpServer } from './setup.js';

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
    ['from a web page of this machine', { origin: 'http://localhost:3000' }, 403],
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

  it('takes no token that cannot be sent', async () => {
    for (const token of ['', 'a b', 'ü', 'a\nb']) {
      await assert.rejects(
        serveMcpOverHttp({ tools: mcp.tools, token, port: 0, version: '1.2.3' }),
        /visible ASCII characters/,
      );
    }
  });
});
