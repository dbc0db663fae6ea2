import assert from 'node:assert/strict';

import { unifiedExecTools } from '../../../../src/agent/unifiedExec/index.js';
import { FakeClock } from '../../../support/fakeClock.js';
import { ScriptedBackend } from '../../../support/scriptedBackend.js';

function setUp() {
  const clock = new FakeClock();
  const backend = new ScriptedBackend(clock);
  const tools = unifiedExecTools({ backend, cwd: '/work', clock });
  const call = (input: unknown) => tools.call('unified_exec', input, { agent: { id: 't', name: 'Tester' } });
  return { tools, backend, call };
}

describe('the tool unified_exec', () => {
  it('is the only one', async () => {
    const { tools } = setUp();
    assert.deepEqual(
      tools.definitions.map(({ name }) => name),
      ['unified_exec'],
    );
    const reply = await tools.call('exec_command', {}, { agent: { id: 't', name: 'Tester' } });
    assert.equal(reply.isError, true);
    assert.match(reply.text, /no tool exec_command/);
  });

  it('answers with JSON, and with null for a session that is over', async () => {
    const { call, backend } = setUp();
    const opened = await call({ input_chunks: ['cat'], timeout_ms: 0 });
    assert.deepEqual(opened, {
      text: '{"session_id":0,"output":""}',
      structured: { session_id: 0 },
      isError: false,
    });
    const [process] = backend.processes;
    assert.ok(process);
    assert.deepEqual(process.params.metadata, { origin: { kind: 'agent', name: 'Tester' } });
    process.prints('"hello"\r\n');
    const polled = await call({ session_id: 0, input_chunks: [], timeout_ms: 0 });
    assert.deepEqual(JSON.parse(polled.text), { session_id: 0, output: '"hello"\r\n' });

    process.exits(0);
    const over = await call({ session_id: 0, input_chunks: [], timeout_ms: 0 });
    assert.deepEqual(over, {
      text: 'Unknown session id 0',
      structured: { error: 'unknownSessionId' },
      isError: true,
    });
  });

  it('takes null for what is left out', async () => {
    const { call } = setUp();
    const reply = await call({ session_id: null, input_chunks: [], timeout_ms: null });
    assert.equal(reply.text, 'missing command line for unified exec request');
  });

  it('tells why input was not taken', async () => {
    const { call, backend } = setUp();
    await call({ input_chunks: ['cat'], timeout_ms: 0 });
    for (const process of backend.processes) {
      process.writeStatus = 'stdinClosed';
    }
    const reply = await call({ session_id: 0, input_chunks: ['x'] });
    assert.equal(reply.text, 'failed to write to stdin: The process takes no input (stdinClosed).');
    assert.equal(reply.isError, true);
  });

  it('says what is wrong with its input, and starts nothing', async () => {
    const { call, backend } = setUp();
    const wrong: [unknown, RegExp][] = [
      [undefined, /input/],
      [{}, /input_chunks/],
      [{ input_chunks: 'ls' }, /input_chunks/],
      [{ input_chunks: [1] }, /input_chunks/],
      [{ input_chunks: ['ls'], session_id: 'zero' }, /session_id/],
      [{ input_chunks: ['ls'], session_id: 0.5 }, /session_id/],
      [{ input_chunks: ['ls'], timeout_ms: -1 }, /timeout_ms/],
      [{ input_chunks: ['ls'], timeout_ms: Number.NaN }, /timeout_ms/],
      [{ input_chunks: ['ls'], command: 'ls' }, /command/],
    ];
    for (const [input, message] of wrong) {
      const reply = await call(input);
      assert.equal(reply.isError, true, JSON.stringify(input));
      assert.match(reply.text, message);
    }
    assert.equal(backend.processes.length, 0);
  });

  it('ends quietly, whatever cannot be ended', async () => {
    const { call, tools, backend } = setUp();
    await call({ input_chunks: ['cat'], timeout_ms: 0 });
    for (const process of backend.processes) {
      process.terminate = () => Promise.reject(new Error('not reachable'));
    }
    await tools.dispose();
  });
});
