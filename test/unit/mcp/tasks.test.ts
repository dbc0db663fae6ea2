import assert from 'node:assert/strict';

import type { Agent, UnfinishedCall } from '../../../src/agent/index.js';
import { type TaskStore, TasksInMemory } from '../../../src/core/index.js';
import { Tasks } from '../../../src/mcp/tasks.js';
import { ScriptedTools } from '../../mcp/scriptedTools.js';
import { FakeClock } from '../../support/fakeClock.js';
import { settle } from '../../support/settle.js';
import { until } from '../../support/until.js';

const AT = Date.UTC(2026, 10, 29);
const HOUR_MS = 3_600_000;
const AGENT: Agent = { id: 'one', name: 'tester' };
const CALL: UnfinishedCall = {
  tool: 'wait_for',
  input: { session: 12, exit: true, timeout_ms: HOUR_MS },
  sessions: [12],
  until: AT + HOUR_MS,
};

/** A process that serves tasks. */
function processOn(store: TaskStore, clock: FakeClock) {
  const tools = new ScriptedTools();
  const logged: string[] = [];
  const tasks = new Tasks({ tools, store, clock, log: (line) => logged.push(line) });
  const get = (taskId: string) => tasks.get(taskId, (name) => ({ id: 'other', name }));
  const begin = async (call = CALL) => String((await tasks.begin(call, AGENT))['taskId']);
  const textOf = async (taskId: string) => {
    const { result } = await get(taskId);
    const [first] = result?.content ?? [];
    return { isError: result?.isError, text: first?.type === 'text' ? first.text : undefined };
  };
  return { tools, logged, tasks, get, begin, textOf };
}

describe('Tasks of clients', () => {
  let clock: FakeClock;
  let store: TasksInMemory;
  let one: ReturnType<typeof processOn>;
  let other: ReturnType<typeof processOn>;

  beforeEach(() => {
    clock = new FakeClock(AT);
    store = new TasksInMemory();
    one = processOn(store, clock);
    other = processOn(store, clock);
  });

  it('begin with an answer that names them, and end with that of the tool', async () => {
    const { taskId, ...answer } = await one.tasks.begin(CALL, AGENT);
    assert.match(String(taskId), /^[0-9a-f-]{36}$/);
    const always = {
      createdAt: '2026-11-29T00:00:00.000Z',
      ttlMs: null,
      pollIntervalMs: 2_000,
    };
    assert.deepEqual(answer, {
      ...always,
      content: [],
      resultType: 'task',
      status: 'working',
      lastUpdatedAt: '2026-11-29T00:00:00.000Z',
      statusMessage: 'Waits for session 12, until 2026-11-29T01:00:00.000Z at the latest.',
    });
    const call = await one.tools.nextCall();
    clock.advance(60_000);
    assert.equal((await one.get(String(taskId))).status, 'working');
    call.reply({ text: 'State: exited with 0', structured: { exit_code: 0 } });
    await until(async () => (await one.get(String(taskId))).status, 'completed');
    assert.deepEqual(await one.get(String(taskId)), {
      ...always,
      taskId,
      status: 'completed',
      lastUpdatedAt: '2026-11-29T00:01:00.000Z',
      result: {
        content: [{ type: 'text', text: 'State: exited with 0' }],
        isError: false,
        _meta: { 'exec-sessions/facts': { exit_code: 0 } },
      },
    });
    assert.deepEqual(one.tools.calls, []);
  });

  it('wait for the time that is left, as the same agent, in whichever process is asked', async () => {
    const taskId = await one.begin();
    const { name, input, caller } = await one.tools.nextCall();
    assert.deepEqual([name, input, caller.agent, caller.longestMs], ['wait_for', CALL.input, AGENT, HOUR_MS]);
    clock.advance(HOUR_MS - 5_000);
    await other.get(taskId);
    await other.get(taskId);
    const again = await other.tools.nextCall();
    assert.deepEqual(again.input, { ...CALL.input, timeout_ms: 5_000 });
    assert.deepEqual([again.caller.agent.name, again.caller.longestMs], ['tester', 5_000]);
    assert.equal(again.caller.mayGoOn, undefined);
    clock.advance(HOUR_MS);
    const late = processOn(store, clock);
    await late.get(taskId);
    assert.deepEqual((await late.tools.nextCall()).input, { ...CALL.input, timeout_ms: 0 });
    assert.deepEqual([...one.tools.calls, ...other.tools.calls], []);
  });

  it('that go on in write_stdin have their time in its input', async () => {
    const input = { session: 12, yield_time_ms: HOUR_MS };
    await one.begin({ ...CALL, tool: 'write_stdin', input });
    assert.deepEqual((await one.tools.nextCall()).input, input);
  });

  it('have one result for two clients at once', async () => {
    const taskId = await one.begin();
    await other.get(taskId);
    const [mine, others] = [await one.tools.nextCall(), await other.tools.nextCall()];
    others.reply({ text: 'seen by the other' });
    await until(async () => (await one.get(taskId)).status, 'completed');
    mine.reply({ text: 'seen by the one' });
    await settle();
    assert.deepEqual(await one.get(taskId), await other.get(taskId));
    assert.equal((await one.textOf(taskId)).text, 'seen by the other');
  });

  it('that are cancelled end the wait alone, and answer twice the same', async () => {
    const taskId = await one.begin({ ...CALL, sessions: [12, 13] });
    const call = await one.tools.nextCall();
    await one.tasks.cancel(taskId);
    assert.equal(call.caller.signal?.aborted, true);
    call.reply({ text: 'The call was cancelled.', isError: true });
    await settle();
    const state = await other.get(taskId);
    assert.equal(state.status, 'cancelled');
    assert.equal(state.result, undefined);
    assert.equal(
      state.statusMessage,
      'The wait was cancelled, and nothing was stopped: stop_session ends sessions 12, 13.',
    );
    await other.tasks.cancel(taskId);
    assert.deepEqual(await one.get(taskId), state);
    assert.deepEqual([...one.tools.calls, ...other.tools.calls], []);
  });

  it('that are cancelled at the moment of their end are one of both, for all', async () => {
    const ended = await one.begin();
    (await one.tools.nextCall()).reply({ text: 'ended' });
    await until(() => store.read(ended)?.includes('endedAt') === true);
    await other.tasks.cancel(ended);
    assert.equal((await one.get(ended)).status, 'completed');
    const cancelled = await one.begin();
    const call = await one.tools.nextCall();
    await other.tasks.cancel(cancelled);
    call.reply({ text: 'ended' });
    await settle();
    assert.equal((await one.get(cancelled)).status, 'cancelled');
  });

  it('that are lost are completed with the reason as an error', async () => {
    const lost = await one.get('no such id');
    assert.equal(lost.status, 'completed');
    assert.deepEqual(await one.textOf('no such id'), {
      isError: true,
      text: 'Nothing is known of this wait: the server that kept it has ended. Its session may go on: list_sessions shows it.',
    });
    await one.tasks.cancel('no such id');
    const noWay = () => Promise.reject(new Error('no way'));
    const cut = processOn({ keep: noWay, read: noWay }, clock);
    assert.deepEqual(await cut.textOf('a'), { isError: true, text: 'This wait is lost: no way' });
    const broken = await one.begin();
    (await one.tools.nextCall()).reply({ text: 'Session 12 does not exist.', isError: true });
    await until(async () => (await one.get(broken)).status, 'completed');
    assert.deepEqual(await one.textOf(broken), { isError: true, text: 'Session 12 does not exist.' });
  });

  it('for which there is no room are answered with what there is now', async () => {
    const full = processOn(new TasksInMemory({ count: 0 }), clock);
    const begun = full.tasks.begin(CALL, AGENT);
    const call = await full.tools.nextCall();
    assert.deepEqual([call.input, call.caller.longestMs], [{ ...CALL.input, timeout_ms: 0 }, 0]);
    call.reply({ text: 'State: running' });
    assert.deepEqual((await begun).content, [{ type: 'text', text: 'State: running' }]);
    assert.equal((await begun)['resultType'], undefined);
    assert.match(full.logged.join(), /^MCP: a wait cannot become a task: .* 0 tasks are waiting already\.$/);
  });

  it('stay when their process ends, and go on in the next one', async () => {
    const taskId = await one.begin();
    const call = await one.tools.nextCall();
    one.tasks.dispose();
    assert.equal(call.caller.signal?.aborted, true);
    call.reply({ text: 'The call was cancelled.', isError: true });
    await settle();
    assert.equal((await one.get(taskId)).status, 'working');
    assert.equal((await other.get(taskId)).status, 'working');
    assert.deepEqual(one.tools.calls, []);
    (await other.tools.nextCall()).reply({ text: 'ended' });
    await until(async () => (await other.get(taskId)).status, 'completed');
  });
});
