import * as vscode from 'vscode';

import type { AgentHost, AgentTools } from '../../agent/index.js';
import { type Clock, type Disposable, DisposableStore, storeWhere } from '../../core/index.js';
import type { Environments } from '../../sessions/environments/index.js';
import {
  LOCAL_ID,
  type SessionEvents,
  type SessionList,
  type WindowFolders,
} from '../../sessions/list/index.js';
import type { Secrets } from '../environments/environmentTokens.js';
import type { Messages } from '../messages.js';
import type { SessionStarter } from '../sessionStarter.js';
import type { SettingsReader } from '../settingsReader.js';
import type { Stopper } from '../stopper.js';
import type { SessionTerminals } from '../terminals/sessionTerminals.js';
import { errorText, UserError } from '../userError.js';
import { CallPlace } from './callPlace.js';
import { CallsFromElsewhere } from './callsFromElsewhere.js';
import { PersonCalls } from './personCalls.js';
import { LazyAgentTools } from './lazyAgentTools.js';
import { McpServer, type ServeMcp } from './mcpServer.js';
import { VscodeAgentHost } from './vscodeAgentHost.js';
import { settingId } from '../../sessions/options/index.js';

export interface AgentsOptions {
  /** Loads the tools of agents. */
  readonly loadTools: (host: AgentHost) => Promise<AgentTools>;
  /** Loads the MCP server. */
  readonly loadMcp: () => Promise<ServeMcp>;
  readonly memento: vscode.Memento;
  readonly secrets: Secrets;
  readonly isTrusted: () => boolean;
  readonly version: string;
  readonly folders: WindowFolders;
  readonly list: SessionList;
  readonly events: SessionEvents;
  readonly environments: Environments;
  readonly starter: Pick<SessionStarter, 'start'>;
  readonly stopper: Stopper;
  readonly terminals: SessionTerminals;
  readonly settings: SettingsReader;
  readonly messages: Messages;
  readonly log: vscode.LogOutputChannel;
  readonly clock: Clock;
  /** Resolves once the list has the sessions that other programs have started on this machine. */
  readonly catchUp: () => Promise<void>;
}

/** The parts of the extension that agents use. */
export interface Agents extends Disposable {
  readonly agentTools: LazyAgentTools;
  readonly mcpServer: McpServer;
  /** Names the places in the questions that people are asked about an agent's calls. */
  readonly callPlace: CallPlace;
}

/** The tools of agents, for VS Code's chat and over MCP, and the calls to a person for whom an agent waits. */
export function createAgents(options: AgentsOptions): Agents {
  const { list, environments, messages, terminals, settings, log } = options;
  const store = new DisposableStore();
  const calls = new PersonCalls({ messages, open: (session) => void terminals.open(session) });
  const host = new VscodeAgentHost({
    list,
    environments,
    starter: options.starter,
    stopper: options.stopper,
    calls,
    folders: options.folders,
    inWords: (error) => new UserError(errorText(error), { cause: error }),
    catchUp: options.catchUp,
  });
  const enabled = () => settings.get('agentsEnabled');
  const agentTools = store.add(new LazyAgentTools({ load: () => options.loadTools(host), enabled, log }));
  const mcpServer = store.add(
    new McpServer({
      tools: agentTools,
      taskStore: storeWhere(async () => {
        await options.catchUp();
        return environments.open(LOCAL_ID)?.backend.tasks;
      }),
      serve: options.loadMcp,
      memento: options.memento,
      secrets: options.secrets,
      enabled,
      isTrusted: options.isTrusted,
      version: options.version,
      messages,
      log,
    }),
  );
  const { events, folders, clock } = options;
  store.add(new CallsFromElsewhere({ events, folders, calls, clock }));
  return {
    agentTools,
    mcpServer,
    callPlace: new CallPlace(environments, agentTools),
    dispose: () => store.dispose(),
  };
}

/**
 * Starts the MCP server if a program outside VS Code was given its address. Ends the server and all calls of tools when
 * agents are switched off. The tools are not loaded for this.
 */
export function followAgentsAllowed({
  agentTools,
  mcpServer,
  messages,
}: Pick<Agents, 'agentTools' | 'mcpServer'> & { readonly messages: Messages }): Disposable {
  const store = new DisposableStore();
  const check = () => {
    agentTools.checkEnabled();
    mcpServer.checkAllowed().catch((error: unknown) => messages.failed(error));
  };
  store.add(
    vscode.workspace.onDidChangeConfiguration((change) => {
      if (change.affectsConfiguration(settingId('agentsEnabled'))) {
        check();
      }
    }),
  );
  store.add(vscode.workspace.onDidGrantWorkspaceTrust(check));
  check();
  return store;
}
