import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';

import { ensureCodex } from '../rig/codex.js';
import { clientFolder, runToEnd } from './clientProgram.js';
import { ModelServer, type Outputs, type Step } from './modelServer.js';

/** The place where the client runs the model's commands: a server that listens, a program that it starts, or itself. */
export type Environment =
  | 'client'
  /** The text of `environments.toml`. */
  | { readonly toml: string }
  | { readonly url: string; readonly token?: string }
  | {
      readonly program: string;
      readonly args: readonly string[];
      readonly env: Readonly<Record<string, string>>;
      readonly cwd: string;
    };

/** The permissions that the client gives the model. It can ask no person. */
export type SandboxMode = 'danger-full-access' | 'workspace-write' | 'read-only';

export interface ClientOptions {
  readonly environment: Environment;
  /** The folder that the model works in. */
  readonly cwd: string;
  readonly script: readonly Step[];
  /** By default all permissions. */
  readonly sandbox?: SandboxMode;
  /** Lines of config.toml in addition to those of every run. */
  readonly config?: string;
  /** Variables of the client in addition to those of every run. */
  readonly env?: Readonly<Record<string, string>>;
  /** Ends the client early. */
  readonly signal?: AbortSignal;
}

export interface ClientRun {
  readonly outputs: Outputs;
  /** The client's requests to the model. */
  readonly requests: readonly string[];
  readonly stderr: string;
}

/** Runs the real client once, with a model that follows the script. Fails unless the whole script was played. */
export async function runCodex(options: ClientOptions): Promise<ClientRun> {
  const { environment, cwd, script, sandbox = 'danger-full-access', config = '', signal } = options;
  const { binary } = await ensureCodex();
  const model = await ModelServer.start(script);
  // The temporary folder is beside the home of codex, which refuses to live in a temporary folder.
  const { folder, remove } = clientFolder('home', 'codex', 'tmp');
  try {
    const env = {
      ...makeHome(folder, environment, codexConfig(model.baseUrl, sandbox) + config),
      ...options.env,
    };
    const { stdout, stderr } = await runToEnd({
      argv: [binary, 'exec', '--json', '--skip-git-repo-check', '--cd', cwd, 'Do as you are told.'],
      // The client's own working directory is empty: files that are found in the other one were found through the
      // server.
      cwd: path.join(folder, 'home'),
      env,
      marker: folder,
      signal,
    });
    model.rethrow();
    assert.equal(model.stepsLeft, 0, `The client left steps of the script out.\n${stdout}\n${stderr}`);
    return { outputs: model.outputs, requests: model.requests, stderr };
  } finally {
    model.close();
    await remove();
  }
}

/** Writes the configuration that the client reads at its start, and returns its whole environment. */
function makeHome(folder: string, environment: Environment, config: string): Record<string, string> {
  fs.writeFileSync(path.join(folder, 'codex/config.toml'), config);
  const env = {
    PATH: process.env['PATH'] ?? '/bin:/usr/bin',
    HOME: path.join(folder, 'home'),
    CODEX_HOME: path.join(folder, 'codex'),
    TMPDIR: path.join(folder, 'tmp'),
    LANG: 'C.UTF-8',
  };
  if (environment === 'client') {
    return env;
  }
  if ('url' in environment && environment.token === undefined) {
    return { ...env, CODEX_EXEC_SERVER_URL: environment.url };
  }
  fs.writeFileSync(path.join(folder, 'codex/environments.toml'), environmentsOf(environment));
  return env;
}

/** Strings and arrays of strings are the same in JSON and in TOML. */
const toml = (value: string | readonly string[]): string => JSON.stringify(value);

function environmentsOf(environment: Exclude<Environment, 'client'>): string {
  if ('toml' in environment) return environment.toml;
  const { env = {}, ...rest } =
    'url' in environment ? { url: environment.url, auth_bearer_token: environment.token ?? '' } : environment;
  const lines = (values: Readonly<Record<string, string | readonly string[]>>): string[] =>
    Object.entries(values).map(([name, value]) => `${name} = ${toml(value)}`);
  return [
    'default = "named"',
    'include_local = false',
    '[[environments]]',
    'id = "named"',
    ...lines(rest),
    ...(Object.keys(env).length > 0 ? ['[environments.env]', ...lines(env)] : []),
    '',
  ].join('\n');
}

/** A configuration with which the client calls no other server, asks nothing and retries nothing. */
export function codexConfig(baseUrl: string, sandbox: string): string {
  // Among the models that the client knows, this one gets all its tools directly.
  return `model = "gpt-5.5"
model_provider = "prepared"
approval_policy = "never"
sandbox_mode = "${sandbox}"
check_for_update_on_startup = false
web_search = "disabled"
[analytics]
enabled = false
[history]
persistence = "none"
[model_providers.prepared]
name = "prepared"
base_url = "${baseUrl}"
wire_api = "responses"
requires_openai_auth = false
request_max_retries = 0
stream_max_retries = 0
supports_websockets = false
`;
}
