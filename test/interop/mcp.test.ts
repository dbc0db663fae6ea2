import assert from 'node:assert/strict';
import { createRequire } from 'node:module';
import path from 'node:path';

import { root } from '../rig/paths.js';
import { mcpTool, outputOf } from './calls.js';
import { McpHttpServer } from './mcpHttpServer.js';
import type { Outputs } from './modelServer.js';
import { interopServers, useServer } from './servers.js';

/** The environment that CODEX_EXEC_SERVER_URL makes. In a sandbox the client asks before it calls a tool. */
const REMOTE =
  'environment_id = "remote"\nrequired = true\n[mcp_servers.probe.tools.where]\napproval_mode = "approve"\n';

/** More than a pipe holds. */
const LONG = 'x'.repeat(200_000);

for (const kind of interopServers) {
  describe(`${kind.name}: tool servers of the real client`, () => {
    const bench = useServer(kind);

    it('run in the environment, and speak through stdin and stdout', async () => {
      const tsx = createRequire(path.join(root, 'package.json')).resolve('tsx');
      const args = ['--import', tsx, path.join(root, 'test/interop/mcpStdioServer.ts')];
      const config = `[mcp_servers.probe]
command = ${JSON.stringify(process.execPath)}
args = ${JSON.stringify(args)}
cwd = ${JSON.stringify(bench.folder)}
${REMOTE}`;
      const { outputs } = await bench.run(
        [
          [mcpTool('first', 'probe', 'where', { text: 'ü' })],
          [mcpTool('second', 'probe', 'where', { text: LONG })],
        ],
        { config },
      );
      const where = { home: bench.server.home, cwd: bench.folder };
      assert.deepEqual(toolResult(outputs, 'first'), { ...where, begin: 'ü', length: 1 });
      assert.deepEqual(toolResult(outputs, 'second'), { ...where, begin: 'xxxxxxxxxx', length: LONG.length });
    });

    it('are reached from the environment, and speak HTTP', async () => {
      const server = await McpHttpServer.start(bench.server.pid);
      try {
        const config = `[mcp_servers.probe]\nurl = "${server.url}"\n${REMOTE}`;
        const { outputs } = await bench.run([[mcpTool('call', 'probe', 'where', { text: 'ü' })]], { config });
        assert.deepEqual(toolResult(outputs, 'call'), { isCaller: true, text: 'ü' });
      } finally {
        server.close();
      }
    });
  });
}

function toolResult(outputs: Outputs, callId: string): Readonly<Record<string, unknown>> {
  const { text } = outputOf(outputs, callId);
  const [json] = /\{.*\}/.exec(text) ?? assert.fail(text);
  return JSON.parse(json) as Readonly<Record<string, unknown>>;
}
