import assert from 'node:assert/strict';
import { PassThrough } from 'node:stream';

import { serveMcpOverStdio } from '../../src/mcp/index.js';
import { ERAS } from './clients.js';
import { useHttpServer } from './http/setup.js';
import { ScriptedTools } from './scriptedTools.js';

const CODEX = { name: 'codex-mcp-client', version: '0.171.0' };
const CODEX_MS = 285_000;

describe('A call waits as long as its client', () => {
  const web = useHttpServer();

  for (const era of ERAS) {
    it(`over HTTP, ${era}`, async () => {
      for (const [client, longestMs] of [
        [CODEX, CODEX_MS],
        [{ name: 'other' }, undefined],
      ] as const) {
        const connected = await web.connect({ era, ...client });
        const answer = connected.callTool({ name: 'look', arguments: {} });
        const call = await web.tools.nextCall();
        assert.equal(call.caller.longestMs, longestMs);
        call.reply({});
        await answer;
      }
    });
  }

  it('over stdio, in each era', async () => {
    const version = '2026-07-28';
    const envelope = {
      'io.modelcontextprotocol/protocolVersion': version,
      'io.modelcontextprotocol/clientInfo': CODEX,
      'io.modelcontextprotocol/clientCapabilities': {},
    };
    const handshake = { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: CODEX };
    const openings = [
      [{ id: 0, method: 'initialize', params: handshake }, { method: 'notifications/initialized' }],
      [{ id: 0, method: 'server/discover', params: { _meta: envelope } }],
    ];
    for (const [at, opening] of openings.entries()) {
      const tools = new ScriptedTools();
      const input = new PassThrough();
      const ended = serveMcpOverStdio({ tools, version: '1.2.3', input, output: new PassThrough().resume() });
      const params = { name: 'look', ...(at === 1 && { _meta: envelope }) };
      for (const message of [...opening, { id: 1, method: 'tools/call', params }]) {
        input.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`);
      }
      const call = await tools.nextCall();
      assert.equal(call.caller.longestMs, CODEX_MS);
      call.reply({});
      input.end();
      await ended;
    }
  });
});
