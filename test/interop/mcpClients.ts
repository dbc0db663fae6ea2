import fs from 'node:fs';
import path from 'node:path';

import assert from 'node:assert/strict';

import { ensureProgram, type NpmProgramName } from '../rig/npmPrograms.js';
import { mcpTool } from './calls.js';
import { clientFolder, runToEnd } from './clientProgram.js';
import { runCodex } from './codexClient.js';
import { claudeDialect, geminiDialect } from './dialects.js';
import { ScriptedModel, type Dialect, type Texts, type ToolScript } from './scriptedModel.js';

/** The name under which the clients know our server. */
const SERVER = 'sessions';

/** Our server as a client is told of it: a program on its pipes, or an address. */
export type McpPlace =
  | { readonly command: string; readonly args: readonly string[] }
  | { readonly url: string; readonly token: string };

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
  /** Resolves with the texts that its model has got. */
  run(options: McpRun): Promise<Texts>;
}

export const mcpClients: readonly McpClient[] = [
  { program: 'codex', name: /Codex/, run: runWithCodex },
  { program: 'claude', name: /Claude Code/, run: runWithClaude },
  { program: 'gemini', name: /gemini/, run: runWithGemini },
];

async function runWithCodex({ place, cwd, script }: McpRun): Promise<Texts> {
  const lines =
    'url' in place
      ? [`url = "${place.url}"`, `http_headers = { Authorization = "Bearer ${place.token}" }`]
      : [`command = ${JSON.stringify(place.command)}`, `args = ${JSON.stringify(place.args)}`];
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
        const { id, tool, args } = step(texts);
        return [mcpTool(id, SERVER, tool, args)];
      }),
      (outputs) => {
        outputs.forEach(({ text }, id) => texts.set(id, text));
        return [];
      },
    ],
  });
  return texts;
}

async function runWithClaude(run: McpRun): Promise<Texts> {
  const { file } = await ensureProgram('claude');
  return play(run, claudeDialect(SERVER), ({ model, folder, server }) => {
    const config = path.join(folder, 'mcp.json');
    fs.writeFileSync(config, JSON.stringify({ mcpServers: { [SERVER]: server } }));
    return {
      argv: [
        file,
        ...['--print', 'Do as you are told.', '--output-format', 'json'],
        ...['--mcp-config', config, '--strict-mcp-config', '--allowedTools', `mcp__${SERVER}`],
      ],
      env: {
        ANTHROPIC_API_KEY: 'none',
        ANTHROPIC_BASE_URL: model.url,
        CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1',
        DISABLE_AUTOUPDATER: '1',
        DISABLE_TELEMETRY: '1',
      },
    };
  });
}

async function runWithGemini(run: McpRun): Promise<Texts> {
  const { file } = await ensureProgram('gemini');
  return play(run, geminiDialect(SERVER), ({ model, folder, server }) => {
    const { type, ...place } = server;
    const settings = {
      mcpServers: { [SERVER]: { ...place, ...(type === 'http' && { type }), trust: true } },
      security: { auth: { selectedType: 'gemini-api-key' } },
      privacy: { usageStatisticsEnabled: false },
      telemetry: { enabled: false },
      general: { enableAutoUpdate: false, enableAutoUpdateNotification: false },
    };
    fs.writeFileSync(path.join(folder, 'home/.gemini/settings.json'), JSON.stringify(settings));
    return {
      argv: [
        process.execPath,
        file,
        ...['--prompt', 'Do as you are told.', '--model', 'gemini-2.5-pro', '--output-format', 'json'],
      ],
      env: {
        GEMINI_API_KEY: 'none',
        GOOGLE_GEMINI_BASE_URL: model.url,
        GEMINI_CLI_NO_RELAUNCH: 'true',
        GEMINI_CLI_TRUST_WORKSPACE: 'true',
      },
    };
  });
}

interface Setting {
  readonly model: ScriptedModel<never>;
  /** A folder for files of the client, with the folder `home` in it. */
  readonly folder: string;
  /** Our server in the form that these clients share. */
  readonly server: { readonly type: string } & Readonly<Record<string, unknown>>;
}

/** Runs a client with a model that speaks its dialect. Fails unless the whole script was played, on this machine alone. */
async function play<Request>(
  { place, cwd, script }: McpRun,
  dialect: Dialect<Request>,
  command: (setting: Setting) => { argv: readonly [string, ...string[]]; env: Record<string, string> },
): Promise<Texts> {
  const model = await ScriptedModel.start(script, dialect);
  const { folder, remove } = clientFolder('home/.gemini', 'tmp');
  const server =
    'url' in place
      ? { type: 'http', url: place.url, headers: { Authorization: `Bearer ${place.token}` } }
      : { type: 'stdio', ...place };
  try {
    const { argv, env } = command({ model, folder, server });
    const usual = {
      PATH: process.env['PATH'] ?? '/bin:/usr/bin',
      HOME: path.join(folder, 'home'),
      TMPDIR: path.join(folder, 'tmp'),
      LANG: 'C.UTF-8',
    };
    const printed = await runToEnd({
      argv,
      cwd,
      env: { ...usual, ...model.proxy, ...env },
      marker: folder,
    });
    model.rethrow();
    assert.equal(model.stepsLeft, 0, `The client left steps out.\n${printed.stdout}\n${printed.stderr}`);
    assert.deepEqual(model.strayed, [], 'The client wanted something from another machine.');
    return model.texts;
  } finally {
    model.close();
    await remove();
  }
}
