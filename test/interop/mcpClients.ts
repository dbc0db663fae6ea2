import path from 'node:path';

import type { NpmProgramName } from '../rig/npmPrograms.js';
import { ownServer } from '../support/execServer.js';
import { commandLine, processesWith } from '../support/processes.js';
import { mcpTool } from './calls.js';
import { runCodex } from './codexClient.js';
import { playClaude, playGemini } from './npmClients.js';
import type { Texts, ToolScript } from './scriptedModel.js';

/** The name under which the clients know our server. */
export const SERVER = 'sessions';

/** Our server as a program on the pipes of its client. */
interface McpProgram {
  readonly command: string;
  readonly args: readonly string[];
  /** Variables that it gets beside those that its client passes on. */
  readonly env?: Readonly<Record<string, string>>;
}

/** Our server as a client is told of it: a program on its pipes, or an address. */
export type McpPlace = McpProgram | { readonly url: string; readonly token: string };

/** `exec-server mcp` for a folder, with a session server of its own there. It ends with the client, as all that it has started. */
export function mcpProgramIn(
  folder: string,
  options: readonly string[] = [],
  node = process.execPath,
): McpProgram {
  return {
    command: node,
    args: [ownServer, 'mcp', ...options, '--cwd', folder],
    env: { XDG_RUNTIME_DIR: folder, XDG_STATE_HOME: path.join(folder, 'state') },
  };
}

/** The processes of {@link mcpProgramIn}. */
export function mcpProcessesIn(folder: string): readonly number[] {
  return processesWith(`XDG_RUNTIME_DIR=${folder}`).filter((pid) =>
    commandLine(pid).includes(`${ownServer} mcp `),
  );
}

export interface McpRun {
  readonly place: McpPlace;
  /** The folder that the client works in. */
  readonly cwd: string;
  readonly script: ToolScript;
}

/** A real client, whose model plays a script with our tools alone. */
export interface McpClient {
  /** Its name in the rig. */
  readonly program: NpmProgramName;
  /** Its name as it tells our server. */
  readonly name: RegExp;
  /** The milliseconds after which it gives a call up by itself, as was seen once; undefined if it waits to the end. */
  readonly patienceMs?: number;
  /** Resolves with the texts that its model has got. */
  run(options: McpRun): Promise<Texts>;
}

export const mcpClients: readonly McpClient[] = [
  { program: 'codex', name: /Codex/, patienceMs: 300_000, run: runWithCodex },
  { program: 'claude', name: /Claude Code/, run: runWithClaude },
  { program: 'gemini', name: /gemini/, patienceMs: 600_000, run: runWithGemini },
];

async function runWithCodex({ place, cwd, script }: McpRun): Promise<Texts> {
  const lines =
    'url' in place
      ? [`url = "${place.url}"`, `http_headers = { Authorization = "Bearer ${place.token}" }`]
      : [
          `command = ${JSON.stringify(place.command)}`,
          `args = ${JSON.stringify(place.args)}`,
          ...Object.entries(place.env ?? {}).map(([name, value]) => `env.${name} = ${JSON.stringify(value)}`),
        ];
  const config = [
    `[mcp_servers.${SERVER}]`,
    ...lines,
    'default_tools_approval_mode = "approve"',
    'required = true',
    '',
  ].join('\n');
  const texts = new Map<string, string>();
  await runCodex({
    environment: 'client',
    cwd,
    sandbox: 'workspace-write',
    config,
    script: [
      ...script.map((step) => (outputs: ReadonlyMap<string, { readonly text: string }>) => {
        outputs.forEach(({ text }, id) => texts.set(id, text));
        const call = step(texts);
        return call === undefined ? [] : [mcpTool(call.id, SERVER, call.tool, call.args)];
      }),
      (outputs) => {
        outputs.forEach(({ text }, id) => texts.set(id, text));
        return [];
      },
    ],
  });
  return texts;
}

async function runWithClaude({ place, ...run }: McpRun): Promise<Texts> {
  const servers = { [SERVER]: serverOf(place) };
  return (await playClaude({ ...run, prefix: `mcp__${SERVER}__`, servers, allowed: `mcp__${SERVER}` })).texts;
}

async function runWithGemini({ place, ...run }: McpRun): Promise<Texts> {
  const { type, ...server } = serverOf(place);
  const servers = { [SERVER]: { ...server, ...(type === 'http' && { type }), trust: true } };
  return (await playGemini({ ...run, prefix: `mcp_${SERVER}_`, servers })).texts;
}

/** Our server in the form that these two share. */
function serverOf(place: McpPlace): Readonly<Record<string, unknown>> {
  return 'url' in place
    ? { type: 'http', url: place.url, headers: { Authorization: `Bearer ${place.token}` } }
    : { type: 'stdio', ...place };
}
