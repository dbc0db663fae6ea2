import assert from 'node:assert/strict';
import { createInterface } from 'node:readline';
import { PassThrough } from 'node:stream';

import { serveMcpOverStdio } from '../../src/mcp/index.js';
import { until } from '../support/until.js';
import { ERAS } from './clients.js';
import { useHttpServer } from './http/setup.js';
import { ScriptedTools } from './scriptedTools.js';

const CODEX = { name: 'codex-mcp-client', version: '0.171.0' };
const CODEX_MS = 285_000;

/** The words of each request of the newest revision about its client. */
const aboutCodex = (capabilities = {}) => ({
  'io.modelcontextprotocol/protocolVersion': '2026-07-28',
  'io.modelcontextprotocol/clientInfo': CODEX,
  'io.modelcontextprotocol/clientCapabilities': capabilities,
});
const discover = { id: 0, method: 'server/discover', params: { _meta: aboutCodex() } };
const look = (capabilities = {}) => ({
  id: 1,
  method: 'tools/call',
  params: { name: 'look', _meta: aboutCodex(capabilities) },
});

/** Says these messages over streams. */
function say(messages: readonly object[]) {
  const tools = new ScriptedTools();
  const input = new PassThrough();
  const output = new PassThrough();
  const answers: { readonly id?: number; readonly result?: Readonly<Record<string, unknown>> }[] = [];
  createInterface(output).on('line', (line) => answers.push(JSON.parse(line) as (typeof answers)[0]));
  const ended = serveMcpOverStdio({ tools, version: '1.2.3', input, output });
  for (const message of messages) {
    input.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`);
  }
  const end = () => {
    input.end();
    return ended;
  };
  return { tools, answers, end };
}

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

  const handshake = { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: CODEX };
  const begun = [{ id: 0, method: 'initialize', params: handshake }, { method: 'notifications/initialized' }];
  for (const [era, messages] of [
    ['legacy', [...begun, { id: 1, method: 'tools/call', params: { name: 'look' } }]],
    ['2026-07-28', [discover, look()]],
  ] as const) {
    it(`over stdio, ${era}`, async () => {
      const { tools, end } = say(messages);
      const call = await tools.nextCall();
      assert.equal(call.caller.longestMs, CODEX_MS);
      call.reply({});
      await end();
    });
  }

  it('but not if that polls a task, which begins with the words of the tool', async () => {
    const { tools, answers, end } = say([
      discover,
      look({ extensions: { 'io.modelcontextprotocol/tasks': {} } }),
    ]);
    const call = await tools.nextCall();
    assert.deepEqual([call.caller.longestMs, call.caller.mayGoOn], [undefined, true]);
    const unfinished = { tool: 'wait_for', input: {}, sessions: [1], until: 0 } as const;
    call.reply({ text: 'Session 1: make', unfinished });
    await until(() => answers.some(({ id }) => id === 1));
    const { resultType, _meta } = answers.find(({ id }) => id === 1)?.result ?? {};
    const said = (_meta as Readonly<Record<string, unknown>>)['com.anthropic/agent-task'];
    assert.deepEqual([resultType, said], ['task', { modelImmediateResponse: 'Session 1: make' }]);
    (await tools.nextCall()).reply({});
    await end();
  });
});
