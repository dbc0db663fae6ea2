import assert from 'node:assert/strict';
import { createInterface } from 'node:readline';
import { PassThrough } from 'node:stream';

import { serveMcpOverStdio } from '../../src/mcp/index.js';
import { until } from '../support/until.js';
import { ScriptedTools } from './scriptedTools.js';

describe('MCP over streams', () => {
  let tools: ScriptedTools;
  let input: PassThrough;
  let output: PassThrough;
  let ended: Promise<void>;
  let answers: { readonly id?: number; readonly result?: unknown; readonly error?: unknown }[];

  beforeEach(() => {
    tools = new ScriptedTools();
    input = new PassThrough();
    output = new PassThrough();
    answers = [];
    createInterface(output)
      .on('line', (line) => answers.push(JSON.parse(line) as (typeof answers)[0]))
      .on('error', () => undefined);
    ended = serveMcpOverStdio({ tools, version: '1.2.3', input, output });
  });

  const say = (message: object) => input.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`);
  const begin = async (protocolVersion: string) => {
    const clientInfo = { name: 'raw', version: '0' };
    say({ id: 0, method: 'initialize', params: { protocolVersion, capabilities: {}, clientInfo } });
    await until(() => answers.length, 1);
    say({ method: 'notifications/initialized' });
    return answers.shift()?.result as { protocolVersion: string; instructions?: string };
  };

  for (const version of ['2024-11-05', '2025-03-26', '2025-06-18', '2025-11-25']) {
    it(`speaks ${version}`, async () => {
      assert.equal((await begin(version)).protocolVersion, version);
      say({ id: 1, method: 'tools/call', params: { name: 'look' } });
      const call = await tools.nextCall();
      assert.equal(call.caller.agent.name, 'raw');
      call.reply({ text: 'Something.' });
      await until(() => answers.length, 1);
      assert.deepEqual(answers[0]?.result, {
        content: [{ type: 'text', text: 'Something.' }],
        isError: false,
        _meta: { 'exec-sessions/facts': {} },
      });
      input.end();
      await ended;
    });
  }

  it('offers what it knows to a client from the future', async () => {
    assert.match((await begin('2999-01-01')).protocolVersion, /^2025-/);
    input.end();
    await ended;
  });

  it('cancels what waits when the input ends, and then ends', async () => {
    await begin('2025-06-18');
    say({ id: 1, method: 'tools/call', params: { name: 'look' } });
    const call = await tools.nextCall();
    input.end();
    await ended;
    await until(() => call.caller.signal?.aborted === true);
    call.reply({ text: 'too late' });
    assert.deepEqual(answers, []);
  });

  it('ends when nobody reads its output any more', async () => {
    await begin('2025-06-18');
    output.destroy(new Error('EPIPE'));
    await ended;
  });

  it('ends when its input breaks', async () => {
    await begin('2025-06-18');
    input.destroy();
    await ended;
  });

  it('goes on after a line that is no message', async () => {
    await begin('2025-06-18');
    input.write('hello?\n{"jsonrpc":"2.0","id":7}\n\n');
    say({ id: 1, method: 'tools/list' });
    await until(
      () => answers,
      (seen) => seen.some(({ id }) => id === 1),
    );
    input.end();
    await ended;
  });

  it('answers each request of a batch with an error, wherever the batch is cut', async () => {
    await begin('2025-03-26');
    const batch =
      '  [{"jsonrpc":"2.0","id":7,"method":"ping"},{"jsonrpc":"2.0","method":"x"},{"jsonrpc":"2.0","id":"é","method":"ping"}]';
    const bytes = Buffer.from(
      `${batch}\r\n[]\n[not JSON\n[${' '.repeat(1024 * 1024)}{"id":8,"method":"ping"}]\n`,
    );
    const cut = bytes.indexOf('\u00e9') + 1;
    input.write(bytes.subarray(0, 1));
    input.write(bytes.subarray(1, cut));
    input.write(bytes.subarray(cut));
    say({ id: 9, method: 'ping' });
    await until(
      () => answers,
      (seen) => seen.some(({ id }) => id === 9),
    );
    const error = {
      code: -32_600,
      message: 'Batches are not supported: send each message on a line of its own.',
    };
    assert.deepEqual(answers, [
      { jsonrpc: '2.0', id: 7, error },
      { jsonrpc: '2.0', id: 'é', error },
      { jsonrpc: '2.0', id: null, error },
      { jsonrpc: '2.0', id: null, error },
      { jsonrpc: '2.0', id: 9, result: {} },
    ]);
    input.end();
    await ended;
  });

  it('cancels a call on demand', async () => {
    await begin('2025-06-18');
    say({ id: 1, method: 'tools/call', params: { name: 'look' } });
    const call = await tools.nextCall();
    say({ method: 'notifications/cancelled', params: { requestId: 1 } });
    await until(() => call.caller.signal?.aborted === true);
    call.reply({ text: 'too late' });
    say({ id: 2, method: 'ping' });
    await until(() => answers.length > 0);
    assert.deepEqual(
      answers.map(({ id }) => id),
      [2],
    );
    input.end();
    await ended;
  });
});
