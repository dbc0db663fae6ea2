import type { ChildProcess } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';

import { startOwned } from '../rig/lifetime.js';
import { ensureProgram, type Installed, type NpmProgramName } from '../rig/npmPrograms.js';
import { killIfThere } from '../support/killIfThere.js';
import { commandLine, processesWith } from '../support/processes.js';
import { clientFolder } from './clientProgram.js';
import { codexConfig } from './codexClient.js';
import { chatDialect, claudeDialect, geminiDialect, responsesDialect } from './dialects.js';
import { claudeServers, claudeVariables, clientVariables } from './npmClients.js';
import { ScriptedModel, type Dialect, type ToolCall, type ToolScript } from './scriptedModel.js';

/** The needs of an agent's start. */
interface Setting {
  readonly model: ScriptedModel<never>;
  /** The agent's own folder: `home` and `tmp` are in it. */
  readonly folder: string;
  /** The folder that it works in. */
  readonly cwd: string;
  /** A stdio MCP server that it starts. */
  readonly mcp: { readonly command: string; readonly args: readonly string[] };
}

export interface RealAgent {
  /** As `AGENT_PROGRAMS` has it. */
  readonly id: string;
  /** The program of the rig that has it. */
  readonly program: NpmProgramName;
  /** The command that starts it, as people start it where npm has installed it with its scripts. */
  argv(installed: Installed): readonly [string, ...string[]];
  readonly dialect: Dialect<never>;
  /** The call of its own tool for a command that it waits for. */
  call(command: string): ModelCall;
  /** The call that starts a server, and goes on while it runs. By default the shell has it in the background. */
  readonly serve?: (command: string) => ModelCall;
  /** Writes its configuration. Returns its arguments and its variables. */
  prepare(setting: Setting): { readonly args: readonly string[]; readonly env?: Record<string, string> };
}

type ModelCall = Pick<ToolCall, 'tool' | 'args'>;

const PROMPT = 'Do as you are told.';

const write = (folder: string, name: string, content: object | string): void => {
  const file = path.join(folder, name);
  fs.mkdirSync(path.dirname(file), { recursive: true });
  fs.writeFileSync(file, typeof content === 'string' ? content : JSON.stringify(content));
};

export const realAgents: readonly RealAgent[] = [
  {
    id: 'claude',
    program: 'claude',
    argv: ({ file }) => [file],
    dialect: claudeDialect(),
    call: (command) => ({ tool: 'Bash', args: { command, description: 'A command', timeout: 600_000 } }),
    prepare: ({ model, folder, mcp }) => ({
      args: ['--print', PROMPT, ...claudeServers(folder, { helper: mcp }, 'Bash')],
      env: claudeVariables(model),
    }),
  },
  {
    id: 'codex',
    program: 'codex',
    argv: ({ modules }) => [path.join(modules, '.bin/codex')],
    dialect: responsesDialect,
    call: (cmd) => ({ tool: 'exec_command', args: { cmd, yield_time_ms: 100_000 } }),
    // It ends the process group of a command with its shell, and the kernel ends that shell with it.
    serve: (command) => ({ tool: 'exec_command', args: { cmd: `${command}; true`, yield_time_ms: 250 } }),
    prepare({ model, folder, cwd, mcp }) {
      write(
        folder,
        'codex/config.toml',
        `${codexConfig(`${model.url}/v1`, 'danger-full-access')}[mcp_servers.helper]
command = ${JSON.stringify(mcp.command)}
args = ${JSON.stringify(mcp.args)}
`,
      );
      return {
        args: ['exec', '--json', '--skip-git-repo-check', '--cd', cwd, PROMPT],
        env: { CODEX_HOME: path.join(folder, 'codex') },
      };
    },
  },
  {
    id: 'gemini',
    program: 'gemini',
    argv: ({ modules }) => [path.join(modules, '.bin/gemini')],
    dialect: geminiDialect(),
    call: (command) => ({ tool: 'run_shell_command', args: { command, description: 'A command' } }),
    prepare({ model, folder, mcp }) {
      write(folder, 'home/.gemini/settings.json', {
        mcpServers: { helper: { ...mcp, trust: true } },
        tools: { allowed: ['run_shell_command'] },
        security: { auth: { selectedType: 'gemini-api-key' } },
        privacy: { usageStatisticsEnabled: false },
        telemetry: { enabled: false },
        general: { enableAutoUpdate: false, enableAutoUpdateNotification: false },
      });
      return {
        args: ['--prompt', PROMPT, '--model', 'gemini-2.5-pro', '--yolo'],
        env: {
          GEMINI_API_KEY: 'none',
          GOOGLE_GEMINI_BASE_URL: model.url,
          GEMINI_CLI_TRUST_WORKSPACE: 'true',
        },
      };
    },
  },
  {
    id: 'copilot',
    program: 'agents',
    argv: ({ modules }) => [path.join(modules, '.bin/copilot')],
    dialect: chatDialect,
    call: (command) => ({ tool: 'bash', args: { command, description: 'A command', initial_wait: 120 } }),
    prepare({ model, folder, mcp }) {
      write(folder, 'home/.copilot/mcp-config.json', {
        mcpServers: { helper: { type: 'local', ...mcp, tools: ['*'] } },
      });
      return {
        args: ['--prompt', PROMPT, '--allow-all-tools', '--model', 'scripted'],
        env: {
          COPILOT_OFFLINE: 'true',
          COPILOT_PROVIDER_BASE_URL: `${model.url}/v1`,
          COPILOT_MODEL: 'scripted',
        },
      };
    },
  },
  {
    id: 'opencode',
    program: 'agents',
    argv: ({ file }) => [file],
    dialect: chatDialect,
    call: (command) => ({ tool: 'bash', args: { command, description: 'A command', timeout: 600_000 } }),
    prepare({ model, folder, mcp }) {
      write(folder, 'home/.config/opencode/opencode.json', {
        model: 'prepared/scripted',
        small_model: 'prepared/scripted',
        autoupdate: false,
        share: 'disabled',
        permission: { bash: 'allow' },
        provider: {
          prepared: {
            npm: '@ai-sdk/openai-compatible',
            options: { baseURL: `${model.url}/v1`, apiKey: 'none' },
            models: { scripted: { name: 'scripted' } },
          },
        },
        mcp: { helper: { type: 'local', command: [mcp.command, ...mcp.args] } },
      });
      return { args: ['run', PROMPT], env: { OPENCODE_DISABLE_MODELS_FETCH: '1' } };
    },
  },
  {
    id: 'qwen',
    program: 'agents',
    argv: ({ modules }) => [path.join(modules, '.bin/qwen')],
    dialect: chatDialect,
    call: (command) => ({
      tool: 'run_shell_command',
      args: { command, description: 'A command', is_background: false, timeout: 600_000 },
    }),
    prepare({ model, folder, mcp }) {
      write(folder, 'home/.qwen/settings.json', {
        mcpServers: { helper: { ...mcp, trust: true } },
        security: { auth: { selectedType: 'openai' } },
        privacy: { usageStatisticsEnabled: false },
        telemetry: { enabled: false },
        general: { enableAutoUpdate: false },
      });
      return {
        args: ['--prompt', PROMPT, '--yolo'],
        env: { OPENAI_API_KEY: 'none', OPENAI_BASE_URL: `${model.url}/v1`, OPENAI_MODEL: 'scripted' },
      };
    },
  },
];

/** A running agent. */
export interface RunningAgent {
  /** The newest text that it has printed. */
  readonly printed: () => string;
  /** Kills the agent and its launchers. All else that it has started goes on. */
  readonly kill: () => Promise<void>;
  /** Ends everything. */
  readonly end: () => Promise<void>;
}

export interface AgentOptions {
  readonly cwd: string;
  /** The command of a server. */
  readonly server: string;
  /** The command that it waits for, once the server has been started. */
  readonly build: string;
  readonly mcp: Setting['mcp'];
  /** Called with its variables before it starts. Resolves with those that it gets. */
  readonly prepared?: (env: Readonly<Record<string, string>>) => Promise<Readonly<Record<string, string>>>;
}

/** Starts an agent whose model has it start a server and a build. Its calls to other machines end at the model. */
export async function startAgent(agent: RealAgent, options: AgentOptions): Promise<RunningAgent> {
  const { cwd, server, build, mcp, prepared } = options;
  const serve = agent.serve?.(server) ?? agent.call(`${server} > server.log 2>&1 & echo started`);
  const script: ToolScript = [
    () => ({ id: 'serve', ...serve }),
    () => ({ id: 'build', ...agent.call(`${build}; echo built`) }),
  ];
  const [file, ...first] = agent.argv(await ensureProgram(agent.program));
  const model: ScriptedModel<never> = await ScriptedModel.start(script, agent.dialect);
  const { folder, remove } = clientFolder('home', 'tmp');
  const home = path.join(folder, 'home');
  const { args, env: own = {} } = agent.prepare({ model, folder, cwd, mcp });
  const variables = { ...clientVariables(folder, model), ...own };
  const env = (await prepared?.(variables)) ?? variables;
  const client = await startOwned(
    file,
    [...first, ...args],
    { cwd, env, stdio: ['ignore', 'pipe', 'pipe'] },
    { marker: folder },
  );
  return {
    printed: newestText(client.child),
    kill: async () => {
      for (const pid of processesWith(`HOME=${home}`)) {
        if (commandLine(pid).includes(PROMPT)) killIfThere(pid);
      }
      await client.exited;
    },
    end: async () => {
      await client.stop();
      model.close();
      await remove();
    },
  };
}

function newestText({ stdout, stderr }: ChildProcess): () => string {
  let text = '';
  for (const stream of [stdout, stderr]) {
    stream?.setEncoding('utf8').on('data', (more: string) => (text = (text + more).slice(-4_000)));
  }
  return () => text;
}
