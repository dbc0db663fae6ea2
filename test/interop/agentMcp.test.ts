import assert from 'node:assert/strict';

import { backendHost, createAgentTools } from '../../src/agent/index.js';
import { LocalBackend } from '../../src/local/index.js';
import { serveMcpOverHttp, type McpHttpServer } from '../../src/mcp/index.js';
import { codexConfiguration, MCP_SERVER_NAME } from '../../src/vscode/agents/mcpConfiguration.js';
import { ownServer } from '../support/execServer.js';
import { mcpTool, outputOf } from './calls.js';
import type { Outputs, Step } from './modelServer.js';
import { useWorkspace } from './workspace.js';

/** The name under which the client knows our server. */
const SERVER = 'sessions';
const TOKEN = 'open-sesame';
const tool = (callId: string, name: string, args: object = {}) => mcpTool(callId, SERVER, name, args);

const sessionOf = (outputs: Outputs, callId: string) => {
  const { text } = outputOf(outputs, callId);
  return Number(/Session (\d+): /.exec(text)?.[1] ?? assert.fail(text));
};

/** The calls of a model: a command to its end, a session that is typed into, and a list of all sessions. */
const script: readonly Step[] = [
  [tool('run', 'exec_command', { cmd: 'pwd; echo done >&2; exit 3' })],
  [
    tool('begin', 'exec_command', {
      cmd: 'read line; echo "got $line"; sleep 1000',
      stdin: true,
      yield_time_ms: 0,
    }),
  ],
  (outputs) => [tool('type', 'write_stdin', { session: sessionOf(outputs, 'begin'), chars: 'ü\n' })],
  (outputs) => [tool('wait', 'wait_for', { session: sessionOf(outputs, 'begin'), pattern: '^got' })],
  (outputs) => [tool('stop', 'stop_session', { session: sessionOf(outputs, 'begin') })],
  [tool('list', 'list_sessions')],
];

function assertPlayed(outputs: Outputs, folder: string): void {
  const text = (callId: string) => outputOf(outputs, callId).text;
  assert.match(text('run'), /^State: exited with code 3$/m);
  assert.match(text('run'), new RegExp(`^${folder}$`, 'm'));
  assert.match(text('run'), /^done$/m);
  assert.match(text('begin'), /^State: running\b/m);
  assert.match(text('wait'), /got ü/);
  assert.match(text('stop'), /^State: (ended by|exited)/m);
  assert.match(text('list'), /got \$line/);
}

describe('The real client with our tools', () => {
  const workspace = useWorkspace();

  it('runs commands through exec-server mcp', async () => {
    const config = `[mcp_servers.${SERVER}]
command = ${JSON.stringify(process.execPath)}
args = ${JSON.stringify([ownServer, 'mcp', '--alone', '--cwd', workspace.folder])}
required = true
`;
    const { outputs } = await workspace.runIn('client', script, { config });
    assertPlayed(outputs, workspace.folder);
  });

  /** Runs the test with our server on the web, which serves this machine. */
  async function withServer(
    run: (server: McpHttpServer, tools: ReturnType<typeof createAgentTools>) => Promise<void>,
  ): Promise<void> {
    const backend = new LocalBackend();
    const environment = { id: 'local', label: 'this machine', backend, cwd: workspace.folder };
    const tools = createAgentTools({ host: backendHost({ environments: [environment] }) });
    const server = await serveMcpOverHttp({ tools, token: TOKEN, port: 0, version: '1.2.3' });
    try {
      await run(server, tools);
    } finally {
      await server.dispose();
      tools.dispose();
      await backend.shutdown();
    }
  }

  it('runs commands through the server on the web, and is called by its name', () =>
    withServer(async (server, tools) => {
      const config = `[mcp_servers.${SERVER}]
url = "${server.url}"
bearer_token_env_var = "SESSIONS_TOKEN"
required = true
`;
      const env = { SESSIONS_TOKEN: TOKEN };
      const { outputs } = await workspace.runIn('client', script, { config, env });
      assertPlayed(outputs, workspace.folder);
      const agent = { id: 'else', name: 'somebody else' };
      const all = await tools.call('list_sessions', { all: true }, { agent });
      assert.match(all.text, /Codex/);
    }));

  it('may only read with the configuration as it is copied, and do everything without its "#"', () =>
    withServer(async (server) => {
      const copied = codexConfiguration({ url: server.url, token: TOKEN });
      // Codex would let tools that only read pass by itself.
      const strict = copied.replace('\n\n', '\ndefault_tools_approval_mode = "prompt"\n\n');
      const all = copied.replaceAll(/^# (?=\[|approval_mode)/gm, '');
      const name = MCP_SERVER_NAME.replace('-', '_');
      const calls: readonly Step[] = [
        [mcpTool('list', name, 'list_sessions')],
        [mcpTool('run', name, 'exec_command', { cmd: 'echo done' })],
      ];
      for (const [config, run] of [
        [strict, /requires approval/],
        [all, /^State: exited with code 0$/m],
      ] as const) {
        const { outputs } = await workspace.runIn('client', calls, { config, sandbox: 'workspace-write' });
        assert.match(outputOf(outputs, 'list').text, /Environments: /);
        assert.match(outputOf(outputs, 'run').text, run);
      }
    }));
});
