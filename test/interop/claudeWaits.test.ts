import assert from 'node:assert/strict';

import { ensureProgram, ifProgram } from '../rig/npmPrograms.js';
import { InteractiveClaude, type InteractiveOptions } from './interactiveClaude.js';
import type { ToolCall } from './scriptedModel.js';
import { useWorkspace } from './workspace.js';

/** Longer than any command of these tests, in milliseconds. */
const LONG_MS = 24 * 60 * 60 * 1_000;

for (const program of ifProgram('claude', 'claude' as const)) {
  describe('Claude Code on a terminal, whose model waits', () => {
    const workspace = useWorkspace();
    let started: InteractiveClaude | undefined;

    before(async function () {
      await ensureProgram(program);
    });
    afterEach(async () => {
      await started?.end();
      started = undefined;
    });

    /** A command that tells that it has begun, and goes on when the workspace has the file `go`. */
    const thatWaits = (then: string) =>
      `${workspace.tell('begun')}; until [ -e go ]; do sleep 0.1; done; ${then}`;

    const callOf = (command: string, more: object = {}): ToolCall => ({
      id: 'run',
      tool: 'exec_command',
      args: { command, yield_time_ms: LONG_MS, ...more },
    });

    /** Starts it with one call. Resolves when the command runs. */
    async function start(
      call: ToolCall,
      options: Partial<InteractiveOptions> = {},
    ): Promise<InteractiveClaude> {
      started = await InteractiveClaude.start({ cwd: workspace.folder, script: [() => call], ...options });
      await workspace.untilThere('begun');
      return started;
    }

    /** The news that begin the only other turn. */
    async function wokenBy(claude: InteractiveClaude): Promise<string> {
      await claude.untilAsked(3);
      const [, , { notice } = { notice: undefined }, ...more] = claude.requests;
      assert.deepEqual(more, [], 'The wait has cost more than a turn.');
      return notice ?? assert.fail(claude.screen);
    }

    it('moves a held call to the background, and its answer begins a turn', async () => {
      const claude = await start(callOf(thatWaits('echo finished')), {
        env: { CLAUDE_CODE_MCP_AUTO_BACKGROUND_MS: '1000' },
      });
      await claude.untilAsked(2);
      assert.match(claude.texts.get('run') ?? '', /moved to the background/);
      workspace.put('go');
      assert.match(await wokenBy(claude), /<status>completed<[^]*^finished$/m);
    });
  });
}
