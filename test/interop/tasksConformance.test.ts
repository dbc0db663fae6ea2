import assert from 'node:assert/strict';

import type { ToolReply, UnfinishedCall } from '../../src/agent/index.js';
import type { ServedTools } from '../../src/mcp/index.js';
import { ifProgram } from '../rig/npmPrograms.js';
import { type Results, runConformance } from './conformanceSuite.js';

const SCENARIOS = [
  'tasks-lifecycle',
  'tasks-capability-negotiation',
  'tasks-wire-fields',
  'tasks-request-state-removal',
  'tasks-request-headers',
  'tasks-dispatch-and-envelope',
] as const;

/** The checks that our server fails by intent, each with the reason. All others have to pass. */
const DOES_NOT_APPLY: Readonly<Record<string, string>> = {
  'sep-2663-tasks-get-invalid-task-id-32602':
    'Claude Code asks again for minutes after this code, and tells its model nothing. A lost task is completed with an error.',
  'sep-2663-tasks-get-status-failed': 'No wait of ours fails outside of its tool, so no task has this state.',
};

/**
 * Not run are `tasks-required-task-error`, since no tool of ours needs a task, and
 * `tasks-status-notifications`, which the suite skips. No task of ours asks its client for input, as in
 * `tasks-mrtr-input` and `tasks-mrtr-composition`.
 */
for (const program of ifProgram('conformanceOfTasks', 'conformanceOfTasks' as const)) {
  describe('The official conformance suite of MCP, for tasks', () => {
    let results: Results;

    before(async () => {
      results = await runConformance(
        program,
        suiteTools,
        SCENARIOS.map((scenario) => ['--scenario', scenario]),
      );
    });

    for (const scenario of SCENARIOS) {
      it(`is passed, but for what does not apply: ${scenario}`, () => {
        const checks = results.get(scenario) ?? assert.fail(`${scenario} was not run.`);
        assert.ok(checks.length > 2);
        const applying = checks.filter(({ id }) => !(id in DOES_NOT_APPLY));
        assert.deepEqual(
          applying.filter(({ status }) => status !== 'SUCCESS'),
          [],
        );
      });
    }

    it('has nothing in the list of what does not apply that is passed', () => {
      const passed = [...results.values()]
        .flat()
        .filter(({ id, status }) => id in DOES_NOT_APPLY && status !== 'FAILURE');
      assert.deepEqual(passed, []);
    });
  });
}

/** The tools that servers have for this suite. They wait for no time: a task of a minute waits for its cancel. */
function suiteTools(): ServedTools & { dispose(): Promise<void> } {
  const names = ['greet', 'slow_compute', 'failing_job', 'protocol_error_job', 'confirm_delete'];
  return {
    definitions: names.map((name) => ({
      name,
      title: name,
      description: name,
      inputSchema: { type: 'object' },
      readOnly: true,
    })),
    call: async (name, given, { mayGoOn, signal }) => {
      const input = given as Readonly<Record<string, unknown>>;
      const reply: ToolReply = {
        text: name === 'greet' ? `Hello, ${String(input['name'])}!` : 'Done.',
        structured: {},
        isError: name === 'failing_job',
      };
      if (mayGoOn === true && name !== 'greet' && input['seconds'] !== 0) {
        // The task calls this very tool again.
        const tool = name as UnfinishedCall['tool'];
        return { ...reply, unfinished: { tool, input, sessions: [1], until: Date.now() + 60_000 } };
      }
      if (input['seconds'] === 60) {
        await new Promise((resolve) => signal?.addEventListener('abort', resolve));
      }
      return reply;
    },
    dispose: () => Promise.resolve(),
  };
}
