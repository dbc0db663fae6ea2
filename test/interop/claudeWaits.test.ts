import assert from 'node:assert/strict';

import { ensureProgram, ifProgram } from '../rig/npmPrograms.js';
import { LeapingNode } from '../support/leapingNode.js';
import { InteractiveClaude, type InteractiveOptions } from './interactiveClaude.js';
import { until } from '../support/until.js';
import type { ToolScript } from './scriptedModel.js';
import { useWorkspace } from './workspace.js';

/** They go on when the workspace has the file `go`. */
const ENDS = 'until [ -e go ]; do sleep 0.1; done; echo finished';
const ASKS = "until [ -e go ]; do sleep 0.1; done; read -p 'Proceed? (y/n) ' answer; sleep 1000";

/** How long a call is held before it becomes a task, in seconds. */
const HOLD = 55;

/** Longer than that, and than any command of these tests, in milliseconds. */
const LONG_MS = 24 * 60 * 60 * 1_000;

for (const program of ifProgram('claude', 'claude' as const)) {
  describe('Claude Code on a terminal, whose model waits', () => {
    let started: InteractiveClaude | undefined;
    // It has ended before its workspace is removed.
    afterEach(async () => {
      await started?.end();
      started = undefined;
    });
    const workspace = useWorkspace();

    before(async function () {
      await ensureProgram(program);
    });

    /** Starts it with one call. */
    async function start(
      args: Readonly<Record<string, unknown>>,
      options: Partial<InteractiveOptions> = {},
    ): Promise<InteractiveClaude> {
      const script: ToolScript = [
        () => ({ id: 'run', tool: 'exec_command', args: { yield_time_ms: LONG_MS, ...args } }),
      ];
      const claude = await InteractiveClaude.start({ cwd: workspace.folder, script, ...options });
      started = claude;
      return claude;
    }

    /** Starts it with one call, which has become a task when this resolves. */
    async function startTask(args: Readonly<Record<string, unknown>>): Promise<InteractiveClaude> {
      const node = new LeapingNode(workspace.folder);
      const claude = await start(args, { node: node.file });
      // The command has started, and nothing is on its way that would be late after a leap.
      await until(
        () => claude.screen,
        (screen) => /Session \d+ \(/.test(screen),
      );
      const [asked] = claude.requests;
      const heldAtMost = (performance.now() - (asked?.at ?? 0)) / 1_000;
      // The last seconds pass by themselves.
      await node.leap(claude.mcpServer, Math.max(0, HOLD - 5 - heldAtMost));
      await claude.untilAsked(2);
      assert.match(claude.texts.get('run') ?? '', /started server-side task/);
      return claude;
    }

    /** The news that begin the only other turn. */
    async function wokenBy(claude: InteractiveClaude): Promise<string> {
      await claude.untilAsked(3);
      const [, , { notice } = { notice: undefined }, ...more] = claude.requests;
      assert.deepEqual(more, [], 'The wait has cost more than a turn.');
      return notice ?? assert.fail(claude.screen);
    }

    it('moves a held call to the background, and its answer begins a turn', async () => {
      const claude = await start({ command: ENDS }, { env: { CLAUDE_CODE_MCP_AUTO_BACKGROUND_MS: '1000' } });
      await claude.untilAsked(2);
      assert.match(claude.texts.get('run') ?? '', /moved to the background/);
      workspace.put('go');
      assert.match(await wokenBy(claude), /<status>completed<[^]*^finished$/m);
    });

    it('is woken by the end of a command, and is not asked in between', async () => {
      const claude = await startTask({ command: ENDS });
      workspace.put('go');
      assert.match(await wokenBy(claude), /<status>completed<[^]*^finished$/m);
    });

    it('is woken after our server was killed and the conversation goes on', async () => {
      const claude = await startTask({ command: ENDS });
      await claude.killAndContinue();
      workspace.put('go');
      assert.match(await wokenBy(claude), /<status>completed<[^]*^finished$/m);
    });

    it('is woken by the question of a program', async () => {
      const claude = await startTask({ command: ASKS, tty: true });
      workspace.put('go');
      assert.match(await wokenBy(claude), /it asks: "Proceed\? \(y\/n\)"/);
    });
  });
}
