import { ownServer } from '../../support/execServer.js';
import { exec } from '../calls.js';
import { runCodex } from '../codexClient.js';
import { mcpClients } from '../mcpClients.js';
import { playClaude, playGemini } from '../npmClients.js';
import type { OfferedTool } from '../scriptedModel.js';
import { toolDefinitions } from '../../../src/agent/definitions.js';
import type { PeerJob } from './peerJobs.js';

/** The texts about commands that a model saw. */
export interface Seen {
  /** The replies, by the titles of the jobs. */
  readonly texts: ReadonlyMap<string, string>;
  /** The definitions of the tools with which it runs commands. */
  readonly definitions: readonly OfferedTool[];
}

/** A program that runs commands for a model. */
export interface Shell {
  readonly name: string;
  readonly tool: string;
  /** Whether the model may ask for a terminal. */
  readonly terminals: boolean;
  /** Runs jobs in a folder, one after another. */
  run(cwd: string, jobs: readonly PeerJob[]): Promise<Seen>;
}

/** As long as a call of ours may wait. */
const LONG_MS = 55_000;

export const shells: readonly Shell[] = [
  { name: 'Exec Sessions', tool: 'exec_command', terminals: true, run: runWithOurs },
  { name: 'Codex', tool: 'exec_command', terminals: true, run: runWithCodex },
  { name: 'Claude Code', tool: 'Bash', terminals: false, run: runWithClaude },
  { name: 'Gemini CLI', tool: 'run_shell_command', terminals: false, run: runWithGemini },
];

/** Our tools are called by Claude Code, through `exec-server mcp`. */
async function runWithOurs(cwd: string, jobs: readonly PeerJob[]): Promise<Seen> {
  const [client] = mcpClients.filter(({ program }) => program === 'claude');
  if (client === undefined) throw new Error('There is no Claude Code.');
  const texts = await client.run({
    place: { command: process.execPath, args: [ownServer, 'mcp', '--alone', '--cwd', cwd] },
    cwd,
    script: jobs.map(({ title, cmd, tty }) => () => ({
      id: title,
      tool: 'exec_command',
      args: { cmd, tty, yield_time_ms: LONG_MS },
    })),
  });
  const definitions = toolDefinitions.map(({ inputSchema, ...tool }) => ({ ...tool, schema: inputSchema }));
  return { texts, definitions };
}

async function runWithCodex(cwd: string, jobs: readonly PeerJob[]): Promise<Seen> {
  const { outputs, requests } = await runCodex({
    environment: 'client',
    cwd,
    script: jobs.map(({ title, cmd, tty }) => [exec(title, cmd, { tty })]),
  });
  const { tools } = JSON.parse(requests[0] ?? '{}') as { readonly tools: readonly CodexTool[] };
  const definitions = tools
    .filter(({ name }) => name === 'exec_command' || name === 'write_stdin')
    .map(({ name, description, parameters }) => ({ name, description, schema: parameters }));
  return { texts: new Map([...outputs].map(([id, { text }]) => [id, text])), definitions };
}

interface CodexTool {
  readonly name: string;
  readonly description: string;
  readonly parameters: unknown;
}

async function runWithClaude(cwd: string, jobs: readonly PeerJob[]): Promise<Seen> {
  const { texts, offered } = await playClaude({ cwd, script: scriptOf('Bash', jobs), allowed: 'Bash' });
  return { texts, definitions: offered.filter(({ name }) => name === 'Bash') };
}

async function runWithGemini(cwd: string, jobs: readonly PeerJob[]): Promise<Seen> {
  const tool = 'run_shell_command';
  const { texts, offered } = await playGemini({ cwd, script: scriptOf(tool, jobs), allowed: tool });
  return { texts, definitions: offered.filter(({ name }) => name === tool) };
}

function scriptOf(tool: string, jobs: readonly PeerJob[]) {
  return jobs.map(({ title, cmd }) => () => ({
    id: title,
    tool,
    args: { command: cmd, description: 'Runs a command' },
  }));
}
