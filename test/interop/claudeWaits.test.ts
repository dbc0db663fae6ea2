import assert from 'node:assert/strict';

import { ensureProgram, ifProgram } from '../rig/npmPrograms.js';
import { InteractiveClaude, type InteractiveOptions } from './interactiveClaude.js';
import type { ToolCall } from './scriptedModel.js';
import { useWorkspace } from './workspace.js';

/** A command that ends when the workspace has the file `go`. */
const UNTIL_GO = 'until [ -e go ]; do sleep 0.1; done; echo finished';

const run = (command: string): ToolCall => ({
  id: 'run',
  tool: 'exec_command',
  args: { command, yield_time_ms: 50_000 },
});

for (const program of ifProgram('claude', 'claude' as const)) {
  describe('Claude Code on a terminal with our tools', () => {
    const workspace = useWorkspace();
    let started: InteractiveClaude | undefined;

    const start = async (options: Omit<InteractiveOptions, 'cwd'>) =>
      (started = await InteractiveClaude.start({ cwd: workspace.folder, ...options }));

    before(async function () {
      await ensureProgram(program);
    });
    afterEach(async () => {
      await started?.end();
      started = undefined;
    });

    it('moves a held call to the background, and its answer begins a turn', async () => {
      const claude = await start({
        script: [() => run(UNTIL_GO)],
        env: { CLAUDE_CODE_MCP_AUTO_BACKGROUND_MS: '1000' },
      });
      await claude.untilAsked(2);
      assert.match(claude.texts.get('run') ?? '', /moved to the background/);
      workspace.put('go');
      await claude.untilAsked(3);
      assert.match(claude.requests.at(-1)?.notice ?? '', /completed[^]*finished/);
    });
  });
}
