import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { PassThrough } from 'node:stream';

import type { UnfinishedCall } from '../../src/agent/index.js';
import { serveMcpOverStdio } from '../../src/mcp/index.js';
import { until } from '../support/until.js';
import { useHttpServer } from './http/setup.js';
import { ScriptedTools } from './scriptedTools.js';

const TASKS = 'io.modelcontextprotocol/tasks';
const VERSION = '2026-07-28';
/** The call in which the scripted tool goes on. */
const UNFINISHED: UnfinishedCall = {
  tool: 'wait_for',
  input: { session: 12, exit: true },
  sessions: [12],
  until: 2_000_000,
};

interface Answer {
  readonly result?: Readonly<Record<string, unknown>>;
  readonly error?: { readonly code: number; readonly data?: unknown };
}

/** Asks as Claude Code 2.1.332 does: what the client is able to is in each request. */
type Ask = (method: string, params?: object, announces?: boolean) => Promise<Answer>;

const messageOf = (id: number, method: string, params: object, announces: boolean) => ({
  jsonrpc: '2.0',
  id,
  method,
  params: {
    ...params,
    _meta: {
      'io.modelcontextprotocol/protocolVersion': VERSION,
      'io.modelcontextprotocol/clientInfo': { name: 'claude-code', version: '2.1.332' },
      'io.modelcontextprotocol/clientCapabilities': {
        roots: { listChanged: true },
        elicitation: { form: {}, url: {} },
        ...(announces && { extensions: { [TASKS]: {} } }),
      },
      'claudecode/toolUseId': 'toolu_1',
    },
  },
});

/** A client on streams, for each test of the surrounding `describe`. */
function useStreams(): { readonly tools: () => ScriptedTools; readonly ask: Ask } {
  let tools: ScriptedTools;
  let input: PassThrough;
  let ended: Promise<void>;
  const answers = new Map<number, Answer>();
  beforeEach(() => {
    tools = new ScriptedTools();
    input = new PassThrough();
    const output = new PassThrough();
    answers.clear();
    createInterface(output).on('line', (line) => {
      const answer = JSON.parse(line) as Answer & { id: number };
      answers.set(answer.id, answer);
    });
    ended = serveMcpOverStdio({ tools, version: '1.2.3', input, output });
  });
  afterEach(async () => {
    input.end();
    await ended;
  });
  let ids = 0;
  const ask: Ask = async (method, params = {}, announces = true) => {
    const id = (ids += 1);
    input.write(`${JSON.stringify(messageOf(id, method, params, announces))}\n`);
    await until(() => answers.has(id));
    return answers.get(id) ?? assert.fail();
  };
  return { tools: () => tools, ask };
}

/** A client over HTTP, likewise. */
function useHttp(): { readonly tools: () => ScriptedTools; readonly ask: Ask } {
  const fixture = useHttpServer();
  const ask: Ask = async (method, params = {}, announces = true) => {
    const { taskId, name = taskId } = params as { readonly taskId?: string; readonly name?: string };
    const { body } = await fixture.post(messageOf(1, method, params, announces), {
      'mcp-protocol-version': VERSION,
      'mcp-method': method,
      'mcp-name': name,
    });
    const data = /^data: ?(\{.*"id":1.*)$/m.exec(body)?.[1] ?? body;
    return JSON.parse(data) as Answer;
  };
  return { tools: () => fixture.tools, ask };
}

for (const [transport, use] of Object.entries({ streams: useStreams, HTTP: useHttp })) {
  describe(`Tasks of MCP over ${transport}`, () => {
    const { tools, ask } = use();

    /** Makes a call that becomes a task, and leaves its wait to the test. */
    const begin = async () => {
      const asked = ask('tools/call', { name: 'look', arguments: {} });
      const call = await tools().nextCall();
      assert.equal(call.caller.mayGoOn, true);
      call.reply({ text: 'goes on', unfinished: UNFINISHED });
      const { result = {} } = await asked;
      return { result, taskId: String(result['taskId']), wait: await tools().nextCall() };
    };

    it('are announced, and a call that goes on is answered with one', async () => {
      const { result: about } = await ask('server/discover');
      assert.deepEqual((about?.['capabilities'] as Answer['result'])?.['extensions'], { [TASKS]: {} });
      const { result, taskId, wait } = await begin();
      assert.deepEqual(
        ['resultType', 'status', 'ttlMs', 'pollIntervalMs'].map((name) => result[name]),
        ['task', 'working', null, 2_000],
      );
      assert.equal(result['task'], undefined);
      assert.deepEqual([wait.name, wait.caller.agent.name], ['wait_for', 'claude-code']);
      const working = (await ask('tasks/get', { taskId })).result;
      assert.deepEqual([working?.['status'], working?.['resultType']], ['working', 'complete']);
      wait.reply({ text: 'State: exited with 0' });
      await until(async () => (await ask('tasks/get', { taskId })).result?.['status'], 'completed');
      const ended = (await ask('tasks/get', { taskId })).result;
      assert.equal(ended?.['resultType'], 'complete');
      assert.deepEqual(ended['result'], {
        content: [{ type: 'text', text: 'State: exited with 0' }],
        isError: false,
        _meta: { 'exec-sessions/facts': {} },
      });
    });

    it('are cancelled twice with the same answer, and take what nobody has asked for', async () => {
      const { taskId, wait } = await begin();
      const update = await ask('tasks/update', { taskId, inputResponses: { q: { action: 'accept' } } });
      assert.equal(update.result?.['resultType'], 'complete');
      const [first, second] = [await ask('tasks/cancel', { taskId }), await ask('tasks/cancel', { taskId })];
      assert.deepEqual(first.result, second.result);
      assert.deepEqual([first.result?.['resultType'], first.result?.['status']], ['complete', undefined]);
      assert.equal(wait.caller.signal?.aborted, true);
      wait.reply({ text: 'The call was cancelled.', isError: true });
      const { result } = await ask('tasks/get', { taskId });
      assert.equal(result?.['status'], 'cancelled');
      assert.match(String(result['statusMessage']), /nothing was stopped: stop_session ends session 12/);
    });

    it('that are unknown are completed with an error as the result', async () => {
      const { result } = await ask('tasks/get', { taskId: 'no such id' });
      assert.equal(result?.['status'], 'completed');
      assert.equal((result['result'] as Answer['result'])?.['isError'], true);
      assert.notEqual((await ask('tasks/cancel', { taskId: 'no such id' })).result, undefined);
      assert.equal((await ask('tasks/get', {})).error?.code, -32602);
    });

    it('are for a client alone that announces them in this request', async () => {
      const asked = ask('tools/call', { name: 'look', arguments: {} }, false);
      const call = await tools().nextCall();
      assert.equal(call.caller.mayGoOn, false);
      call.reply({ text: 'still running' });
      const { result } = await asked;
      assert.deepEqual([result?.['resultType'], result?.['taskId']], ['complete', undefined]);
      for (const method of ['tasks/get', 'tasks/cancel', 'tasks/update']) {
        const { error } = await ask(method, { taskId: 'a' }, false);
        assert.deepEqual(
          [error?.code, error?.data],
          [-32021, { requiredCapabilities: { extensions: { [TASKS]: {} } } }],
        );
      }
      for (const method of ['tasks/list', 'tasks/result']) {
        assert.equal((await ask(method, { taskId: 'a' })).error?.code, -32601);
      }
    });
  });
}

describe('Tasks of MCP', () => {
  it('do not exist for a client that begins with a handshake, whatever it announces', async () => {
    const tools = new ScriptedTools();
    const [input, output] = [new PassThrough(), new PassThrough()];
    const ended = serveMcpOverStdio({ tools, version: '1.2.3', input, output });
    const lines = createInterface(output);
    const say = async (message: object) => {
      const answer = once(lines, 'line') as Promise<[string]>;
      input.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`);
      return JSON.parse((await answer)[0]) as Answer;
    };
    const capabilities = { extensions: { [TASKS]: {} } };
    const clientInfo = { name: 'codex', version: '0.171.0' };
    const params = { protocolVersion: '2025-11-25', capabilities, clientInfo };
    const { result } = await say({ id: 1, method: 'initialize', params });
    assert.deepEqual(result?.['capabilities'], { tools: { listChanged: false } });
    const asked = say({ id: 2, method: 'tools/call', params: { name: 'look' } });
    const call = await tools.nextCall();
    assert.equal(call.caller.mayGoOn, false);
    call.reply({ text: 'still running' });
    assert.equal((await asked).result?.['resultType'], undefined);
    const refused = await say({ id: 3, method: 'tasks/get', params: { taskId: 'a' } });
    assert.equal(refused.error?.code, -32601);
    input.end();
    await ended;
  });
});
