import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';

import { ensureProgram } from '../rig/npmPrograms.js';
import { clientFolder, runToEnd } from './clientProgram.js';
import { claudeDialect, geminiDialect } from './dialects.js';
import {
  ScriptedModel,
  type Dialect,
  type OfferedTool,
  type Texts,
  type ToolScript,
} from './scriptedModel.js';

export interface PlayOptions {
  /** The folder that the client works in. */
  readonly cwd: string;
  readonly script: ToolScript;
  /** The prefix that the client puts before the names of the tools in the script. */
  readonly prefix?: string;
  /** The MCP servers, as the client's configuration has them. */
  readonly servers?: Readonly<Record<string, unknown>>;
}

export interface Played {
  /** The answers that the model has got for its calls. */
  readonly texts: Texts;
  readonly offered: readonly OfferedTool[];
}

/**
 * Runs Claude Code, whose model plays a script.
 *
 * @param options `allowed`: the tools that it uses without a question.
 */
export async function playClaude(options: PlayOptions & { readonly allowed: string }): Promise<Played> {
  const { file } = await ensureProgram('claude');
  const { prefix, servers = {}, allowed } = options;
  return play(options, claudeDialect(prefix), ({ model, folder }) => ({
    argv: [
      file,
      ...['--print', 'Do as you are told.', '--output-format', 'json'],
      ...claudeServers(folder, servers, allowed),
    ],
    env: claudeVariables(model),
  }));
}

/** Writes a file with MCP servers. Returns the arguments that name it and the tools that need no question. */
export function claudeServers(folder: string, servers: object, allowed: string): readonly string[] {
  const config = path.join(folder, 'mcp.json');
  fs.writeFileSync(config, JSON.stringify({ mcpServers: servers }));
  return ['--mcp-config', config, '--strict-mcp-config', '--allowedTools', allowed];
}

/** Variables with which Claude Code asks this model, and nobody else. */
export function claudeVariables(model: AnyModel): Readonly<Record<string, string>> {
  return {
    ANTHROPIC_API_KEY: 'none',
    ANTHROPIC_BASE_URL: model.url,
    CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1',
    CLAUDE_CODE_DISABLE_OFFICIAL_MARKETPLACE_AUTOINSTALL: '1',
    DISABLE_AUTOUPDATER: '1',
    DISABLE_TELEMETRY: '1',
  };
}

/**
 * Runs Gemini CLI, whose model plays a script.
 *
 * @param options `allowed`: a tool of its own that it uses without a question.
 */
export async function playGemini(options: PlayOptions & { readonly allowed?: string }): Promise<Played> {
  const { file } = await ensureProgram('gemini');
  const { prefix, servers = {}, allowed } = options;
  return play(options, geminiDialect(prefix), ({ model, folder }) => {
    const settings = {
      mcpServers: servers,
      ...(allowed !== undefined && { tools: { allowed: [allowed] } }),
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

/** The variables that a client and its folder need with any model. */
export function clientVariables(folder: string, model: AnyModel): Readonly<Record<string, string>> {
  return {
    PATH: process.env['PATH'] ?? '/bin:/usr/bin',
    HOME: path.join(folder, 'home'),
    TMPDIR: path.join(folder, 'tmp'),
    LANG: 'C.UTF-8',
    ...model.proxy,
  };
}

type AnyModel = ScriptedModel<never>;

interface Setting {
  readonly model: AnyModel;
  /** A folder for files of the client, with the folder `home` in it. */
  readonly folder: string;
}

/** Runs a client with a model that speaks its dialect. Fails unless the whole script was played, on this machine alone. */
async function play<Request>(
  { cwd, script }: PlayOptions,
  dialect: Dialect<Request>,
  command: (setting: Setting) => { argv: readonly [string, ...string[]]; env: Record<string, string> },
): Promise<Played> {
  const model = await ScriptedModel.start(script, dialect);
  const { folder, remove } = clientFolder('home/.gemini', 'tmp');
  try {
    const { argv, env } = command({ model, folder });
    const printed = await runToEnd({
      argv,
      cwd,
      env: { ...clientVariables(folder, model), ...env },
      marker: folder,
    });
    model.rethrow();
    assert.equal(model.stepsLeft, 0, `The client left steps out.\n${printed.stdout}\n${printed.stderr}`);
    assert.deepEqual(model.strayed, [], 'The client wanted something from another machine.');
    return { texts: model.texts, offered: model.offered };
  } finally {
    model.close();
    await remove();
  }
}
