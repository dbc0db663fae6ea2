import fs from 'node:fs';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { endServersIn } from '../support/sessionServers.js';
import type { Base } from './base.js';
import { runOwned, startOwned, type Survivor } from './lifetime.js';
import { messageOf } from './paths.js';
import type { Tools } from './tools.js';

export interface Server {
  /** Host and port, the authority of `vscode-remote:` URIs. */
  readonly authority: string;
  readonly url: string;
  readonly pid: number;
  readonly exited: Promise<string>;
  /** Ends the server; resolves with the processes that outlived it and had to be killed. */
  stop(): Promise<readonly Survivor[]>;
}

export interface ServerOptions {
  /** Accepts a test suite in the address. VS Code then shows no notifications, so only suites use it. */
  readonly driver?: boolean;
  /** Starts it without the switch that trusts every workspace. */
  readonly askForTrust?: boolean;
  readonly port?: number;
}

function baseArguments(tools: Tools, base: Base): string[] {
  return [
    tools.codeServer,
    '--config',
    path.join(base.folder, 'config.yaml'),
    '--user-data-dir',
    base.userData,
    '--extensions-dir',
    base.extensions,
  ];
}

/** Runs code-server's command line to its end, for example to install an extension, and returns its output. */
export function runCli(tools: Tools, base: Base, args: readonly string[]): Promise<string> {
  return runOwned(tools.node, [...baseArguments(tools, base), ...args], { cwd: base.folder, env: base.env });
}

const startLimitMs = 60_000;

export async function startServer(tools: Tools, base: Base, options: ServerOptions = {}): Promise<Server> {
  const log = fs.openSync(base.serverLog, 'a');
  const offset = fs.fstatSync(log).size;
  const owned = await startOwned(
    tools.node,
    [
      ...baseArguments(tools, base),
      // The system picks the port, and the log names it: a port that is looked for beforehand may be taken by then.
      '--bind-addr',
      `127.0.0.1:${options.port ?? 0}`,
      '--auth',
      'none',
      '--disable-telemetry',
      '--disable-update-check',
      '--disable-getting-started-override',
      ...(options.askForTrust ? [] : ['--disable-workspace-trust']),
      ...(options.driver && tools.version.needsDriver ? ['--vscode-option', 'enable-smoke-test-driver'] : []),
    ],
    { cwd: base.folder, env: base.env, stdio: ['ignore', log, log] },
    // Sessions outlive VS Code, but not the rig.
    { marker: base.marker, ended: () => endServersIn(base.folder) },
  ).finally(() => fs.closeSync(log));

  const output = (): string => fs.readFileSync(base.serverLog).subarray(offset).toString();
  const until = Date.now() + startLimitMs;
  let why = 'it has not named its port';
  while (owned.ending() === undefined && Date.now() < until) {
    const authority = /HTTP server listening on http:\/\/(127\.0\.0\.1:\d+)/.exec(output())?.[1];
    if (authority !== undefined) {
      const problem = await problemOf(`http://${authority}/?ew=true`);
      if (problem === undefined) {
        const url = `http://${authority}/`;
        return { authority, url, pid: owned.pid, exited: owned.exited, stop: () => owned.stop() };
      }
      why = problem;
    }
    await delay(50);
  }
  why = owned.ending() ?? why;
  await owned.stop();
  throw new Error(`code-server did not come up: ${why}\n${output().slice(0, 4000)}`);
}

/** Asks for the workbench, since the server's health check answers even if VS Code itself cannot load. */
async function problemOf(url: string): Promise<string | undefined> {
  try {
    const response = await fetch(url, { signal: AbortSignal.timeout(10_000) });
    const page = await response.text();
    return response.ok && page.includes('vscode-workbench-web-configuration')
      ? undefined
      : `GET ${url} gave ${response.status} and no workbench`;
  } catch (error) {
    return messageOf(error);
  }
}

/** The address of the workbench with a folder; `payload` is in the form that VS Code's own web test runner uses. */
export function workbenchUrl(
  server: Server,
  folder: string,
  payload: readonly (readonly [string, string])[] = [],
): string {
  const url = new URL(server.url);
  url.searchParams.set('folder', folder);
  if (payload.length > 0) url.searchParams.set('payload', JSON.stringify(payload));
  return url.href;
}
