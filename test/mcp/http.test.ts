import assert from 'node:assert/strict';
import http from 'node:http';
import net from 'node:net';

import { ProtocolError, type Client } from '@modelcontextprotocol/client';

import { IDLE_SESSION_MS, LARGEST_REQUEST_BYTES, MOST_SESSIONS, PROGRESS_MS } from '../../src/mcp/limits.js';
import { serveMcpOverHttp, type McpHttpServer } from '../../src/mcp/index.js';
import { FakeClock } from '../support/fakeClock.js';
import { until } from '../support/processes.js';
import { connectHttp, ERAS, textOf, type HttpClientOptions } from './clients.js';
import { ScriptedTools } from './scriptedTools.js';

const TOKEN = 'correct-horse-battery-staple';

describe('MCP over HTTP', () => {
  let tools: ScriptedTools;
  let clock: FakeClock;
  let server: McpHttpServer;
  let clients: Client[] = [];
  const logged: string[] = [];

  const serve = (port = 0) =>
    serveMcpOverHttp({
      tools,
      token: TOKEN,
      port,
      version: '1.2.3',
      clock,
      log: (line) => logged.push(line),
    });

  const connect = async (options: Partial<HttpClientOptions> & Pick<HttpClientOptions, 'era'>) => {
    const client = await connectHttp({ url: server.url, token: TOKEN, ...options });
    clients.push(client);
    return client;
  };

  beforeEach(async () => {
    tools = new ScriptedTools();
    clock = new FakeClock(1_000_000);
    logged.length = 0;
    server = await serve();
  });

  afterEach(async () => {
    for (const client of clients) {
      await client.close().catch(() => undefined);
    }
    clients = [];
    await server.dispose();
  });

  for (const era of ERAS) {
    describe(`for clients of ${era}`, () => {
      it('lists the tools as they are defined', async () => {
        const client = await connect({ era });
        const { tools: listed } = await client.listTools();
        assert.deepEqual(
          listed.map(({ name, title, description, inputSchema }) => ({
            name,
            title,
            description,
            inputSchema,
          })),
          tools.definitions.map(({ name, title, description, inputSchema }) => ({
            name,
            title,
            description,
            inputSchema,
          })),
        );
        assert.deepEqual(
          listed.map(({ annotations }) => [annotations?.readOnlyHint, annotations?.destructiveHint]),
          [
            [true, false],
            [false, true],
          ],
        );
        assert.deepEqual(client.getServerVersion()?.version, '1.2.3');
      });

      it('calls a tool in the name of the client', async () => {
        const client = await connect({ era, name: '  Some\nagent\u0007  of mine ' });
        const result = client.callTool({ name: 'look', arguments: { far: true } });
        const call = await tools.nextCall();
        assert.equal(call.name, 'look');
        assert.deepEqual(call.input, { far: true });
        assert.equal(call.caller.agent, 'Some agent of mine');
        call.reply({ text: 'Nothing there.\n', structured: { session: 3 } });
        const { content, isError, structuredContent, _meta } = await result;
        assert.deepEqual(content, [{ type: 'text', text: 'Nothing there.\n' }]);
        assert.equal(isError, false);
        assert.equal(structuredContent, undefined);
        assert.deepEqual(_meta?.['exec-sessions/facts'], { session: 3 });
      });

      it('says so when a call was wrong', async () => {
        const client = await connect({ era });
        const result = client.callTool({ name: 'act' });
        const call = await tools.nextCall();
        assert.deepEqual(call.input, {});
        call.reply({ text: 'No.', isError: true });
        const answer = await result;
        assert.equal(answer.isError, true);
        assert.equal(textOf(answer), 'No.');
      });

      it('does not know a tool that it has not got', async () => {
        const client = await connect({ era });
        await assert.rejects(client.callTool({ name: 'fly' }), (error) => {
          assert.ok(error instanceof ProtocolError);
          assert.equal(error.code, -32602);
          assert.match(error.message, /Unknown tool: fly/);
          return true;
        });
        assert.equal(tools.calls.length, 0);
      });

      it('tells the tool that a call is cancelled, and serves the client further', async () => {
        const client = await connect({ era });
        const controller = new AbortController();
        const result = client.callTool({ name: 'look' }, { signal: controller.signal });
        const call = await tools.nextCall();
        assert.equal(call.caller.signal?.aborted, false);
        controller.abort(new Error('enough'));
        await assert.rejects(result, /enough/);
        await until(() => call.caller.signal?.aborted === true);
        call.reply({ text: 'too late' });
        const next = client.callTool({ name: 'look' });
        (await tools.nextCall()).reply({ text: 'here' });
        assert.equal(textOf(await next), 'here');
      });

      it('ends the calls of a client that is gone', async () => {
        const client = await connect({ era });
        const result = client.callTool({ name: 'look' });
        const call = await tools.nextCall();
        await Promise.all([assert.rejects(result), client.close()]);
        await until(() => call.caller.signal?.aborted === true);
        call.reply({});
      });

      it('tells who asks for it that a call still waits', async () => {
        const client = await connect({ era });
        const told: unknown[] = [];
        const result = client.callTool({ name: 'look' }, { onprogress: (progress) => told.push(progress) });
        const call = await tools.nextCall();
        clock.advance(PROGRESS_MS);
        await until(() => told.length === 1);
        call.caller.progress?.('Waiting for port 80.');
        clock.advance(2 * PROGRESS_MS);
        await until(() => told.length === 3);
        assert.deepEqual(told, [
          { progress: 10 },
          { progress: 20, message: 'Waiting for port 80.' },
          { progress: 30, message: 'Waiting for port 80.' },
        ]);
        call.reply({ text: 'Listening.' });
        assert.equal(textOf(await result), 'Listening.');
        clock.advance(10 * PROGRESS_MS);
        assert.equal(told.length, 3);
      });

      it('tells nothing to who does not', async () => {
        const client = await connect({ era });
        const timers = clock.pendingTimers;
        const result = client.callTool({ name: 'look' });
        const call = await tools.nextCall();
        // There is no timer but those of the MCP session.
        assert.ok(clock.pendingTimers <= timers);
        call.reply({ text: 'There.' });
        assert.equal(textOf(await result), 'There.');
      });

      it('carries large texts whole, both ways', async () => {
        const client = await connect({ era });
        const text = 'ü€😀\n'.repeat(100_000);
        const result = client.callTool({ name: 'look', arguments: { text } });
        const call = await tools.nextCall();
        assert.deepEqual(call.input, { text });
        call.reply({ text });
        assert.equal(textOf(await result), text);
      });

      it('refuses what is too large, and goes on', async () => {
        const client = await connect({ era });
        await assert.rejects(
          client.callTool({ name: 'look', arguments: { text: 'x'.repeat(LARGEST_REQUEST_BYTES) } }),
        );
        assert.equal(tools.calls.length, 0);
        assert.equal((await client.listTools()).tools.length, 2);
      });

      it('serves several clients at once, each in its own name', async () => {
        const [one, other] = await Promise.all([
          connect({ era, name: 'one' }),
          connect({ era, name: 'other' }),
        ]);
        const results = [one.callTool({ name: 'look' }), other.callTool({ name: 'look' })];
        const calls = [await tools.nextCall(), await tools.nextCall()];
        for (const call of calls) call.reply({ text: call.caller.agent });
        assert.deepEqual((await Promise.all(results)).map(textOf), ['one', 'other']);
      });

      it('ends waiting calls when it is disposed, and takes no more', async () => {
        const client = await connect({ era });
        const result = client.callTool({ name: 'look' });
        const call = await tools.nextCall();
        const rejected = assert.rejects(result);
        const disposed = server.dispose();
        await until(() => call.caller.signal?.aborted === true);
        call.reply({});
        await disposed;
        await client.close();
        await rejected;
        await assert.rejects(connect({ era }));
      });
    });
  }

  it('answers a client of before the official one as well', async () => {
    const { status, headers, body } = await post({
      jsonrpc: '2.0',
      id: 1,
      method: 'initialize',
      params: { protocolVersion: '2025-03-26', capabilities: {}, clientInfo: { name: 'old', version: '0' } },
    });
    assert.equal(status, 200);
    assert.match(headers['mcp-session-id']?.toString() ?? '', /^[0-9a-f-]{36}$/);
    assert.match(body, /"protocolVersion":"2025-03-26"/);
  });

  const initialize = {
    jsonrpc: '2.0',
    id: 1,
    method: 'initialize',
    params: { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'raw', version: '0' } },
  };

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
      const answer = await post(initialize, headers);
      assert.equal(answer.status, status, answer.body);
      assert.equal(answer.headers['www-authenticate'], status === 401 ? 'Bearer' : undefined);
      assert.ok(!answer.body.includes(TOKEN));
    });
  }

  for (const path of ['/', '/mcp/', '/.well-known/oauth-protected-resource', '/mcp2']) {
    it(`has nothing at ${path}`, async () => {
      assert.equal((await post(initialize, {}, path)).status, 404);
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

  it('does not know an MCP session that has ended', async () => {
    const begun = await post(initialize);
    const id = begun.headers['mcp-session-id']?.toString() ?? assert.fail();
    const list = { jsonrpc: '2.0', id: 2, method: 'tools/list' };
    assert.equal((await post(list, { 'mcp-session-id': id })).status, 200);
    assert.equal((await post(undefined, { 'mcp-session-id': id }, '/mcp', 'DELETE')).status, 200);
    assert.equal((await post(list, { 'mcp-session-id': id })).status, 404);
    assert.equal((await post(list, { 'mcp-session-id': 'made-up' })).status, 404);
    assert.equal((await post(list)).status, 400);
  });

  it('ends an MCP session that nobody uses', async () => {
    const begun = await post(initialize);
    const id = begun.headers['mcp-session-id']?.toString() ?? assert.fail();
    const list = { jsonrpc: '2.0', id: 2, method: 'tools/list' };
    const status = async () => (await post(list, { 'mcp-session-id': id })).status;
    await until(() => clock.pendingTimers === 1);
    clock.advance(IDLE_SESSION_MS - 1);
    assert.equal(await status(), 200);
    await until(() => clock.pendingTimers === 1);
    clock.advance(IDLE_SESSION_MS - 1);
    assert.equal(await status(), 200, 'it counts from the last use');
    await until(() => clock.pendingTimers === 1);
    clock.advance(IDLE_SESSION_MS);
    assert.equal(await status(), 404);
    assert.equal(clock.pendingTimers, 0);
  });

  it('ends the MCP session that was used the longest ago when there are too many', async () => {
    const begin = async () => (await post(initialize)).headers['mcp-session-id']?.toString() ?? assert.fail();
    const list = { jsonrpc: '2.0', id: 2, method: 'tools/list' };
    const status = async (id: string) => (await post(list, { 'mcp-session-id': id })).status;
    const first = await begin();
    const second = await begin();
    while (clock.pendingTimers < MOST_SESSIONS) await begin();
    assert.equal(await status(first), 200);
    await begin();
    assert.equal(await status(first), 200);
    assert.equal(await status(second), 404);
    assert.match(logged.join('\n'), /more than 200 MCP sessions/);
  });

  it('does not end an MCP session that is in use for others that are not', async () => {
    const client = await connect({ era: 'legacy' });
    const result = client.callTool({ name: 'look' });
    const call = await tools.nextCall();
    for (let begun = 0; begun <= MOST_SESSIONS; begun++) await post(initialize);
    assert.match(logged.join('\n'), /more than 200 MCP sessions/);
    assert.equal(call.caller.signal?.aborted, false);
    call.reply({ text: 'still here' });
    assert.equal(textOf(await result), 'still here');
  });

  it('takes a stream that is open for use', async () => {
    const client = await connect({ era: 'legacy' });
    // The client opens its stream after it has been let in.
    await until(() => clock.pendingTimers === 0);
    clock.advance(10 * IDLE_SESSION_MS);
    assert.equal((await client.listTools()).tools.length, 2);
  });

  it('begins the stream of a call before there is anything on it', async () => {
    const { 'mcp-session-id': session } = (await post(initialize)).headers;
    const stream = await openStream('POST', session, {
      jsonrpc: '2.0',
      id: 2,
      method: 'tools/call',
      params: { name: 'look' },
    });
    assert.equal(stream.statusCode, 200);
    // Without the early beginning, the headers would come only with the first keep-alive message.
    assert.equal(stream.read(), null);
    (await tools.nextCall()).reply({ text: 'There.' });
    assert.match((await stream.setEncoding('utf8').toArray()).join(''), /There\./);
  });

  it('lets a client open its stream again as soon as the one before has broken', async function () {
    // The next keep-alive on a stream, which would reveal the break as well, comes only after 15 s.
    this.timeout(20_000);
    const { 'mcp-session-id': session } = (await post(initialize)).headers;
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

  it('carries no half characters, either way', async () => {
    for (const era of ERAS) {
      const client = await connect({ era });
      const result = client.callTool({ name: 'look', arguments: { cmd: 'echo \udc00' } });
      const facts = { 'list': ['a\ud83d', 1], 'k\udc00': { ok: '😀', nothing: null } };
      const call = await tools.nextCall();
      assert.deepEqual(call.input, { cmd: 'echo \ufffd' });
      call.reply({ text: '\ud83d|😀|\u0000|\udc00', structured: facts });
      const answer = await result;
      assert.equal(textOf(answer), '\ufffd|😀|\u0000|\ufffd');
      assert.deepEqual(answer._meta?.['exec-sessions/facts'], {
        'list': ['a\ufffd', 1],
        'k\ufffd': { ok: '😀', nothing: null },
      });
    }
  });

  it('logs one short line for whatever comes', async () => {
    assert.equal((await post({ jsonrpc: '2.0', id: 1, method: 'x\u001b]0;\r\ny' })).status, 400);
    const { 'mcp-session-id': session } = (await post(initialize)).headers;
    const cancel = { jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: {} } };
    await post(cancel, { 'mcp-session-id': session?.toString() });
    await post(
      { jsonrpc: '2.0', id: 7, result: { text: 'z\n'.repeat(100_000) } },
      { 'mcp-session-id': session?.toString() },
    );
    assert.ok(logged.length >= 3);
    for (const line of logged) {
      assert.match(line, /^MCP: [^\p{C}]{1,300}$/u);
      assert.ok(!line.includes(TOKEN));
    }
  });

  it('takes another port if the one that it is to have is taken', async () => {
    const other = await serve(server.port);
    assert.notEqual(other.port, server.port);
    assert.equal(new URL(other.url).port, String(other.port));
    await other.dispose();
  });

  it('takes the port that it is to have if it can', async () => {
    const { port } = server;
    await server.dispose();
    server = await serve(port);
    assert.equal(server.port, port);
    assert.equal(server.url, `http://127.0.0.1:${port}/mcp`);
  });

  it('takes no token that cannot be sent', async () => {
    for (const token of ['', 'a b', 'ü', 'a\nb']) {
      await assert.rejects(
        serveMcpOverHttp({ tools, token, port: 0, version: '1.2.3' }),
        /visible ASCII characters/,
      );
    }
  });

  it('is gone when it has been disposed, whoever is connected', async () => {
    const socket = net.connect(server.port, '127.0.0.1');
    const closed = new Promise((resolve) => socket.once('close', resolve));
    socket.on('error', () => undefined);
    socket.write('POST /mcp HTTP/1.1\r\n');
    const client = await connect({ era: 'legacy' });
    await server.dispose();
    await closed;
    await client.close();
    await server.dispose();
  });

  /** Sends a request whose answer is a stream, and resolves as soon as that begins. */
  function openStream(
    method: 'GET' | 'POST',
    session: string | string[] | undefined,
    message?: object,
  ): Promise<http.IncomingMessage> {
    const headers = {
      'accept': 'application/json, text/event-stream',
      'content-type': 'application/json',
      'authorization': `Bearer ${TOKEN}`,
      'mcp-session-id': session,
    };
    return new Promise((resolve, reject) => {
      http
        .request(server.url, { method, headers, agent: false }, (response) => {
          response.on('error', () => undefined);
          setImmediate(() => resolve(response));
        })
        .once('error', reject)
        .end(message === undefined ? undefined : JSON.stringify(message));
    });
  }

  /** Sends a request without the official client. */
  function post(
    message: unknown,
    headers: Readonly<Record<string, string | undefined>> = {},
    path = '/mcp',
    method = 'POST',
  ): Promise<{ status: number; headers: http.IncomingHttpHeaders; body: string }> {
    const given: Readonly<Record<string, string | undefined>> = {
      'content-type': 'application/json',
      'accept': 'application/json, text/event-stream',
      'authorization': `Bearer ${TOKEN}`,
      ...headers,
    };
    const sent = Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined));
    return new Promise((resolve, reject) => {
      const request = http.request(
        { host: '127.0.0.1', port: server.port, path, method, headers: sent, agent: false },
        (response) => {
          let body = '';
          response.setEncoding('utf8').on('data', (text: string) => (body += text));
          response.once('end', () =>
            resolve({ status: response.statusCode ?? 0, headers: response.headers, body }),
          );
        },
      );
      request.once('error', reject);
      request.end(message === undefined ? undefined : JSON.stringify(message));
    });
  }
});
