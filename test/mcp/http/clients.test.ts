import assert from 'node:assert/strict';

import { ProtocolError } from '@modelcontextprotocol/client';

import { LARGEST_REQUEST_BYTES, PROGRESS_MS, RESUME_MS } from '../../../src/mcp/limits.js';
import { until } from '../../support/until.js';
import { ERAS, textOf } from '../clients.js';
import { useHttpServer } from './setup.js';

describe('MCP over HTTP', () => {
  const mcp = useHttpServer();
  const { connect, post } = mcp;

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
          mcp.tools.definitions.map(({ name, title, description, inputSchema }) => ({
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
        const call = await mcp.tools.nextCall();
        assert.equal(call.name, 'look');
        assert.deepEqual(call.input, { far: true });
        assert.equal(call.caller.agent.name, 'Some agent of mine');
        call.reply({ text: 'Nothing there.\n', structured: { session: 3 } });
        const { content, isError, structuredContent, _meta } = await result;
        assert.deepEqual(content, [{ type: 'text', text: 'Nothing there.\n' }]);
        assert.equal(isError, false);
        assert.equal(structuredContent, undefined);
        assert.deepEqual(_meta?.['exec-sessions/facts'], { session: 3 });
      });

      it('reports a wrong call', async () => {
        const client = await connect({ era });
        const result = client.callTool({ name: 'act' });
        const call = await mcp.tools.nextCall();
        assert.deepEqual(call.input, {});
        call.reply({ text: 'No.', isError: true });
        const answer = await result;
        assert.equal(answer.isError, true);
        assert.equal(textOf(answer), 'No.');
      });

      it('refuses an unknown tool', async () => {
        const client = await connect({ era });
        await assert.rejects(client.callTool({ name: 'fly' }), (error) => {
          assert.ok(error instanceof ProtocolError);
          assert.equal(error.code, -32602);
          assert.match(error.message, /Unknown tool: fly/);
          return true;
        });
        assert.equal(mcp.tools.calls.length, 0);
      });

      it('tells the tool that a call is cancelled, and serves the client further', async () => {
        const client = await connect({ era });
        const controller = new AbortController();
        const result = client.callTool({ name: 'look' }, { signal: controller.signal });
        const call = await mcp.tools.nextCall();
        assert.equal(call.caller.signal?.aborted, false);
        controller.abort(new Error('enough'));
        await assert.rejects(result, /enough/);
        await until(() => call.caller.signal?.aborted === true);
        call.reply({ text: 'too late' });
        const next = client.callTool({ name: 'look' });
        (await mcp.tools.nextCall()).reply({ text: 'here' });
        assert.equal(textOf(await next), 'here');
      });

      it('ends the calls of a client that is gone', async () => {
        const client = await connect({ era });
        const result = client.callTool({ name: 'look' });
        const call = await mcp.tools.nextCall();
        await Promise.all([assert.rejects(result), client.close()]);
        await until(() => {
          // A client with a session could come back.
          if (era === 'legacy') mcp.clock.advance(RESUME_MS / 10);
          return call.caller.signal?.aborted === true;
        });
        call.reply({});
      });

      it('tells a client that asks that a call still waits', async () => {
        const client = await connect({ era });
        const told: unknown[] = [];
        const result = client.callTool({ name: 'look' }, { onprogress: (progress) => told.push(progress) });
        const call = await mcp.tools.nextCall();
        mcp.clock.advance(PROGRESS_MS.first);
        await until(() => told.length, 1);
        call.caller.progress?.('Waiting for port 80.');
        mcp.clock.advance(2 * PROGRESS_MS.next);
        await until(() => told.length, 3);
        assert.deepEqual(told, [
          { progress: 1 },
          { progress: 11, message: 'Waiting for port 80.' },
          { progress: 21, message: 'Waiting for port 80.' },
        ]);
        call.reply({ text: 'Listening.' });
        assert.equal(textOf(await result), 'Listening.');
        mcp.clock.advance(10 * PROGRESS_MS.next);
        assert.equal(told.length, 3);
      });

      it('tells nothing to a client that does not ask', async () => {
        const client = await connect({ era });
        const timers = mcp.clock.pendingTimers;
        const result = client.callTool({ name: 'look' });
        const call = await mcp.tools.nextCall();
        // There is no timer but those of the MCP session.
        assert.ok(mcp.clock.pendingTimers <= timers);
        call.reply({ text: 'There.' });
        assert.equal(textOf(await result), 'There.');
      });

      it('carries large texts whole, both ways', async () => {
        const client = await connect({ era });
        const text = 'ü€😀\n'.repeat(100_000);
        const result = client.callTool({ name: 'look', arguments: { text } });
        const call = await mcp.tools.nextCall();
        assert.deepEqual(call.input, { text });
        call.reply({ text });
        assert.equal(textOf(await result), text);
      });

      it('refuses what is too large, and goes on', async () => {
        const client = await connect({ era });
        await assert.rejects(
          client.callTool({ name: 'look', arguments: { text: 'x'.repeat(LARGEST_REQUEST_BYTES) } }),
        );
        assert.equal(mcp.tools.calls.length, 0);
        assert.equal((await client.listTools()).tools.length, 2);
      });

      it('serves several clients at once, each in its own name', async () => {
        const [one, other] = await Promise.all([
          connect({ era, name: 'one' }),
          connect({ era, name: 'other' }),
        ]);
        const results = [one.callTool({ name: 'look' }), other.callTool({ name: 'look' })];
        const calls = [await mcp.tools.nextCall(), await mcp.tools.nextCall()];
        for (const call of calls) call.reply({ text: call.caller.agent.name });
        assert.deepEqual((await Promise.all(results)).map(textOf), ['one', 'other']);
      });

      it('ends waiting calls when it is disposed, and takes no more', async () => {
        const client = await connect({ era });
        const result = client.callTool({ name: 'look' });
        const call = await mcp.tools.nextCall();
        const rejected = assert.rejects(result);
        const disposed = mcp.server.dispose();
        await until(() => call.caller.signal?.aborted === true);
        call.reply({});
        await disposed;
        await client.close();
        await rejected;
        await assert.rejects(connect({ era }));
      });
    });
  }

  it('answers a client that is older than the official one as well', async () => {
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

  it('carries no half characters in either direction', async () => {
    for (const era of ERAS) {
      const client = await connect({ era });
      const result = client.callTool({ name: 'look', arguments: { cmd: 'echo \udc00' } });
      const facts = { 'list': ['a\ud83d', 1], 'k\udc00': { ok: '😀', nothing: null } };
      const call = await mcp.tools.nextCall();
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
});
