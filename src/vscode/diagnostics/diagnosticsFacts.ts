import { readFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';

import * as vscode from 'vscode';

import {
  AGENT_PROGRAMS,
  type BackendCapabilities,
  disconnectedText,
  english,
  type ExecBackend,
  isRecord,
} from '../../core/index.js';
import type { Environments } from '../../sessions/environments/index.js';
import {
  type EnvironmentSnapshot,
  type EnvironmentState,
  LOCAL_ID,
  type SessionList,
} from '../../sessions/list/index.js';
import { settingDefinitions, settingId, type SettingName } from '../../sessions/options/index.js';
import type { McpServer } from '../agents/mcpServer.js';
import type { SettingsReader } from '../settingsReader.js';
import type { DiagnosticsSection } from './diagnosticsText.js';
import type { Machine } from '../../machine/index.js';
import { serverRisks, serverRiskText } from '../../sessions/words/index.js';

/** The things that the facts are about. */
export interface DiagnosticsSources {
  readonly extensionPath: string;
  readonly version: string;
  /** The session servers that this window is connected with. */
  readonly servers: () => {
    readonly own: ConnectedServer | undefined;
    readonly others: readonly ConnectedServer[];
  };
  readonly environments: Environments;
  readonly list: SessionList;
  readonly settings: SettingsReader;
  readonly mcpServer: Pick<McpServer, 'running' | 'allowed'>;
  readonly isTrusted: () => boolean;
  /** The command `exec-sessions`, as agents are told it. */
  readonly program: string;
}

/**
 * The facts about the extension and its surroundings now. Settings are listed by name only, since values may be
 * secrets.
 */
export async function diagnosticsFacts(sources: DiagnosticsSources): Promise<readonly DiagnosticsSection[]> {
  const { environments } = sources;
  const { own, others } = sources.servers();
  return [
    { title: 'Versions', facts: versions(sources) },
    { title: 'Terminals', facts: await terminals(sources.extensionPath) },
    { title: 'This window', facts: thisWindow(sources) },
    { title: 'Doors of agents', facts: await doors(sources) },
    ...environments.all.map((environment) => environmentSection(environment, sources)),
    ...(own === undefined ? [] : [serverSection(own, true)]),
    ...others.map((other) => serverSection(other, false)),
  ];
}

type Facts = DiagnosticsSection['facts'];

function versions({ version }: DiagnosticsSources): Facts {
  return [
    ['Exec Sessions', version],
    ['VS Code', `${vscode.version} (${vscode.env.appName}, ${vscode.env.remoteName ?? 'not remote'})`],
    ['Shown in', vscode.env.uiKind === vscode.UIKind.Web ? 'a browser' : 'a desktop window'],
    ['Node', process.version],
    ['System', `${process.platform} ${process.arch}, ${os.release()}`],
    ['Language', vscode.env.language],
  ];
}

async function terminals(extensionPath: string): Promise<Facts> {
  const { terminalSupport } = await import('../../local/index.js');
  const { binding, trouble } = terminalSupport();
  return [
    ['node-pty', nodePtyVersion(extensionPath)],
    ['Binary', binding ?? `none for ${process.platform}-${process.arch}`],
    ['Usable', trouble === undefined ? 'yes' : `no: ${trouble}`],
  ];
}

/** The version that the package was made with. */
function nodePtyVersion(extensionPath: string): string {
  const manifest: unknown = JSON.parse(readFileSync(path.join(extensionPath, 'package.json'), 'utf8'));
  const dependencies = isRecord(manifest) ? manifest['dependencies'] : undefined;
  return isRecord(dependencies) ? String(dependencies['node-pty']) : 'unknown';
}

function thisWindow({ isTrusted, list, mcpServer, settings }: DiagnosticsSources): Facts {
  const running = list.sessions.filter(({ ended }) => !ended).length;
  const unwritten = list.sessions
    .map(({ record }) => record.receiptUnwritten)
    .find((reason) => reason !== undefined);
  const changed = (Object.keys(settingDefinitions) as SettingName[]).map(settingId).filter(isChanged);
  return [
    [
      'Workspace',
      isTrusted() ? 'trusted' : 'not trusted: nothing can be started, and its settings are ignored',
    ],
    ['Sessions', `${running} running, ${list.sessions.length - running} ended`],
    ['MCP server', mcpServer.running ? 'runs' : mcpServer.allowed ? 'does not run' : 'may not run'],
    ['Sessions of this machine are to run in', settings.get('localBackend')],
    ['Receipts', unwritten === undefined ? settings.get('receipts') : `cannot be written: ${unwritten}`],
    ['Settings that are not the default', changed.join(', ') || 'none'],
  ];
}

async function doors({ program }: DiagnosticsSources): Promise<Facts> {
  const { doorsOf } = await import('../../machine/index.js');
  return AGENT_PROGRAMS.map(({ id, name }) => {
    const found = doorsOf(id, { env: process.env, program: [program] });
    const words = found.map(
      ({ what, state }) => `${what} ${typeof state === 'object' ? 'left alone' : state}`,
    );
    return [name, words.join(', ')];
  });
}

function isChanged(id: string): boolean {
  const found = vscode.workspace.getConfiguration().inspect(id);
  return [found?.globalValue, found?.workspaceValue, found?.workspaceFolderValue].some(
    (value) => value !== undefined,
  );
}

function environmentSection(
  environment: EnvironmentSnapshot,
  { environments, servers }: DiagnosticsSources,
): DiagnosticsSection {
  const { id, label, kind, target, state, removed } = environment;
  const backend = environments.open(id)?.backend;
  return {
    title: id === LOCAL_ID ? label : `Environment ${id}`,
    facts: [
      ...(id === LOCAL_ID
        ? [['Sessions run in', placeOf(backend, servers().own)] as const]
        : [['Reached by', `${kind}: ${withoutQuery(target)}`] as const]),
      ['State', `${stateInWords(state)}${removed ? ', not in the settings any more' : ''}`],
      ...(backend === undefined ? [] : backendFacts(backend)),
    ],
  };
}

function placeOf(backend: ExecBackend | undefined, server: ConnectedServer | undefined): string {
  return backend === undefined
    ? 'nothing yet: the session server is started with the first session'
    : backend === server?.backend
      ? 'the session server'
      : 'the extension host of this window';
}

/** The end of an address may contain a secret. */
function withoutQuery(target: string): string {
  return URL.canParse(target) ? target.replace(/\?.*/s, '?…') : target;
}

function stateInWords(state: EnvironmentState): string {
  return 'reason' in state ? `${state.kind}: ${disconnectedText(state.reason)}` : state.kind;
}

function backendFacts({ capabilities, host }: ExecBackend): Facts {
  const { platform = 'not told', shell, cwd } = host;
  return [
    ['Platform', platform],
    ['Shell', shell?.path ?? 'not told'],
    ['Directory', cwd ?? 'not told'],
    ['Can', namesOf(capabilities, true)],
    ['Cannot', namesOf(capabilities, false)],
    ['Signals', capabilities.signals.join(' ') || 'none'],
  ];
}

function namesOf(capabilities: BackendCapabilities, able: boolean): string {
  const names = Object.entries(capabilities).flatMap(([name, value]) =>
    Array.isArray(value) || (value !== false) !== able ? [] : [nameOf(name, value)],
  );
  return names.join(', ') || 'nothing';
}

function nameOf(name: string, value: unknown): string {
  return typeof value === 'string' ? `${name} (${value})` : name;
}

/** A session server that this window is connected with. */
type ConnectedServer = Pick<Machine, 'socket' | 'files' | 'isAtBestPlace'> & {
  readonly backend: Pick<Machine['backend'], 'host'>;
};

/** How a session server runs, and what that means for its sessions. */
function serverSection(
  { socket, files, isAtBestPlace, backend }: ConnectedServer,
  ofThisVersion: boolean,
): DiagnosticsSection {
  const { host } = backend;
  const { server } = host;
  const place = isAtBestPlace
    ? socket
    : `${socket} (not the usual place, where windows and agents find it as well)`;
  const risks = serverRisks(host).map((risk) => ['Risk', serverRiskText(risk, english)] as const);
  return {
    title: ofThisVersion ? 'Session server' : 'Session server of another version',
    facts: [
      ['Place', place],
      ['Digest of its files', files],
      ...(server === undefined
        ? []
        : [
            ['Process', String(server.pid)] as const,
            [
              'Node',
              `${server.node} ${server.nodeVersion}${server.electron ? ' (the Node of VS Code)' : ''}`,
            ] as const,
            [
              'Files',
              `${server.files}${server.copied ? ' (a copy that no update touches)' : ' (not a copy)'}`,
            ] as const,
            ['Limits', 'of all windows, the larger value of each setting holds'] as const,
            ['Service', server.service ?? 'does not end with a service'] as const,
            ...(risks.length === 0 ? [['Risk', 'no known risk'] as const] : risks),
          ]),
    ],
  };
}
