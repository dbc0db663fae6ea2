import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';

import * as z from 'zod';

import type { UnfinishedCall } from '../../src/agent/index.js';
import type { TaskStore } from '../../src/core/index.js';
import { Tasks } from '../../src/mcp/tasks.js';
import { systemClock } from '../../src/core/index.js';
import { describeOnPosix } from '../support/onLinux.js';
import { isRunning } from '../support/processes.js';
import { until } from '../support/until.js';
import { type McpProgram, useMcpPrograms } from './program.js';
import { callTool } from './reply.js';

const HOUR_MS = 3_600_000;
const CAT = { argv: ['cat'], stdin: true, yield_time_ms: 0 };

const state = z.looseObject({
  status: z.string(),
  result: z.optional(z.object({ isError: z.boolean(), content: z.array(z.object({ text: z.string() })) })),
});

describeOnPosix('A task of exec-server mcp with the session server of its machine', () => {
  const programs = useMcpPrograms();

  const start = () =>
    programs.start({ joins: true, era: '2026-07-28', announces: ['io.modelcontextprotocol/tasks'] });

  const get = ({ client }: McpProgram, taskId: string) =>
    client.request({ method: 'tasks/get', params: { taskId } }, state);

  /** A session, and a task that a process left which has gone: it waited for the end. */
  const begin = async (program: McpProgram) => {
    const { session } = await callTool(program.client, 'exec_command', CAT);
    const machine = await programs.connect();
    const store: TaskStore = machine.backend.tasks ?? assert.fail('The session server keeps no tasks.');
    const call: UnfinishedCall = {
      tool: 'wait_for',
      input: { session, exit: true },
      sessions: [session],
      until: Date.now() + HOUR_MS,
    };
    const gone = new Tasks({
      tools: { call: () => new Promise(() => undefined) },
      store,
      clock: systemClock,
      log: () => undefined,
    });
    const { taskId } = await gone.begin(call, { id: randomUUID(), name: 'tester' });
    return { session, taskId: String(taskId), machine };
  };

  const kill = async ({ pid }: McpProgram) => {
    process.kill(pid, 'SIGKILL');
    await until(async () => !(await isRunning(pid)));
  };

  it('is answered by one process after the other, each killed, and its result by all of them', async () => {
    const first = await start();
    const { session, taskId } = await begin(first);
    assert.equal((await get(first, taskId)).status, 'working');
    await kill(first);
    const second = await start();
    assert.equal((await get(second, taskId)).status, 'working');
    const third = await start();
    assert.equal((await get(third, taskId)).status, 'working');
    await callTool(second.client, 'write_stdin', { session, close: true });
    await until(async () => (await get(second, taskId)).status, 'completed');
    const ended = await get(second, taskId);
    assert.equal(ended.result?.isError, false);
    assert.match(ended.result.content[0]?.text ?? '', /^State: exited with code 0/m);
    assert.deepEqual((await get(third, taskId)).result, ended.result);
    await kill(second);
    assert.deepEqual((await get(await start(), taskId)).result, ended.result);
  });

  it('that is cancelled in one process leaves the session running', async () => {
    const [first, second] = [await start(), await start()];
    const { taskId, machine } = await begin(first);
    assert.equal((await get(first, taskId)).status, 'working');
    await second.client.request({ method: 'tasks/cancel', params: { taskId } }, z.looseObject({}));
    assert.equal((await get(first, taskId)).status, 'cancelled');
    assert.deepEqual(
      (await machine.backend.list()).map(({ state }) => state),
      ['running'],
    );
  });
});
