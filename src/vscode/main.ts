import * as vscode from 'vscode';

import type { ExecSessionsApi } from '../api/exec-sessions.js';
import { toolDefinitions } from '../agent/definitions.js';
import { type Disposable, DisposableStore, type Event, systemClock } from '../core/index.js';
import { PacedChanges } from '../sessions/tree/index.js';
import { AgentTool } from './agents/agentTool.js';
import { followAgentsAllowed } from './agents/createAgents.js';
import { loadAgentTools } from './agents/lazyAgentTools.js';
import { loadMcp, type McpServer } from './agents/mcpServer.js';
import { wrapperFor } from './cli/wrapper.js';
import type { CommandId } from './commands/commandIds.js';
import { askCommandLine } from './commands/start/commandLinePrompt.js';
import { runCommand } from './commands/commandHandlers.js';
import { startDemo } from './demo.js';
import type { DiagnosticsDocument } from './diagnostics/diagnosticsDocument.js';
import { realDialogs } from './dialogs.js';
import { connectRemote, removeRemoteServer } from './environments/connectRemote.js';
import { memberLister, offerMembers } from './environments/engineMembers.js';
import { loadMachine } from './machine/sessionServer.js';
import type { OutputDocuments } from './output/outputDocuments.js';
import { createServices, type Services } from './services.js';
import { shellProfile } from './shellStart.js';
import { windowFolders } from './thisMachine.js';
import type { SessionTaskDefinition, TaskPlace } from './tasks/taskDefinition.js';
import type { TreeNode } from './tree/nodes.js';
import type { SessionTree } from './tree/sessionTree.js';
import { SessionsView } from './tree/sessionsView.js';

/** The objects that the entry made before the rest was loaded. */
export interface Surroundings {
  readonly context: vscode.ExtensionContext;
  readonly log: vscode.LogOutputChannel;
  readonly view: vscode.TreeView<TreeNode>;
  /** Whether to start a session to look at. */
  readonly demo: boolean;
}

/** The functions that the entry calls. */
export interface Main extends Disposable {
  readonly api: ExecSessionsApi;
  readonly tree: SessionTree;
  /** The rows of the tree that VS Code has to draw again; undefined means all. */
  readonly rowChanges: Event<TreeNode[] | undefined>;
  readonly documents: OutputDocuments;
  readonly diagnostics: DiagnosticsDocument;
  readonly mcpServer: McpServer;
  run(command: CommandId, args: readonly unknown[]): Promise<unknown>;
  startDropped: Services['startDropped'];
  /** A shell as a session, for VS Code's menu of new terminals. */
  profile(): Promise<vscode.TerminalProfile | undefined>;
  /** Runs a task of tasks.json as a session. */
  runTask(definition: SessionTaskDefinition, place: TaskPlace): Promise<vscode.Pseudoterminal>;
  /** The tools for language models, by their names. */
  readonly tools: ReadonlyMap<string, AgentTool>;
  /** Leaves the session server, where all sessions go on. Stops the sessions that this window runs itself. */
  shutdown(): Promise<void>;
}

/** Starts the extension. */
export function start({ context, log, view, demo }: Surroundings): Main {
  const { version } = context.extension.packageJSON as { readonly version: string };
  const store = new DisposableStore();
  const services = store.add(
    createServices({
      extensionPath: context.extensionPath,
      version,
      memento: context.workspaceState,
      globalMemento: context.globalState,
      secrets: context.secrets,
      log,
      dialogs: realDialogs,
      askCommandLine,
      isTrusted: () => vscode.workspace.isTrusted,
      connect: connectRemote,
      offerMembers,
      removeServer: removeRemoteServer,
      listMembers: memberLister(() => vscode.workspace.isTrusted),
      loadTools: loadAgentTools,
      loadMcp,
      loadMachine,
      cliWrapper: wrapperFor(context.globalStorageUri.fsPath, context.extensionPath),
      storage: context.globalStorageUri.fsPath,
      folders: windowFolders(),
      showTree: (tree, sessions) => new SessionsView(tree, view, sessions, systemClock),
    }),
  );
  const { agentTools, callPlace, commands, messages, tree } = services;
  const changes = store.add(new PacedChanges(systemClock, tree.onDidChangeTreeData));
  store.add(followAgentsAllowed(services));
  services.settings.check();
  const found = services.lookForSessions();
  if (demo) {
    void found.then(() => startDemo(services));
  }
  return {
    api: services.api,
    tree,
    rowChanges: changes.onDidChange,
    documents: services.documents,
    diagnostics: services.diagnostics,
    mcpServer: services.mcpServer,
    tools: new Map(
      toolDefinitions.map((definition) => [
        definition.name,
        new AgentTool(definition, agentTools, callPlace),
      ]),
    ),
    run: (command, args) => runCommand(commands, messages, command, args),
    startDropped: (target, dropped) => services.startDropped(target, dropped),
    profile: () => shellProfile(services),
    runTask: (definition, place) => services.tasks.run(definition, place),
    shutdown: () => services.shutdown(),
    dispose: () => store.dispose(),
  };
}
