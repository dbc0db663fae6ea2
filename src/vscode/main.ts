import * as vscode from 'vscode';

import type { ExecSessionsApi } from '../api/exec-sessions.js';
import { toolDefinitions } from '../agent/definitions.js';
import { type Disposable, DisposableStore, systemClock } from '../core/index.js';
import { AgentTool } from './agents/agentTool.js';
import { followAgentsAllowed } from './agents/agentsAllowed.js';
import { loadAgentTools } from './agents/lazyAgentTools.js';
import { loadMcp, type McpServer } from './agents/mcpServer.js';
import type { CommandId } from './commands/commandIds.js';
import { askCommandLine } from './commands/commandLinePrompt.js';
import { runCommand } from './commands/runCommand.js';
import { startDemo } from './demo.js';
import { realDialogs } from './dialogs.js';
import { connectRemote } from './environments/connectRemote.js';
import type { OutputDocuments } from './output/outputDocuments.js';
import { createServices } from './services.js';
import type { TreeNode } from './tree/nodes.js';
import type { SessionTree } from './tree/sessionTree.js';
import { SessionsView } from './tree/sessionsView.js';

/** What the entry has made before the rest was loaded. */
export interface Surroundings {
  readonly context: vscode.ExtensionContext;
  readonly log: vscode.LogOutputChannel;
  readonly view: vscode.TreeView<TreeNode>;
  /** Whether to start a session to look at. */
  readonly demo: boolean;
}

/** What the entry hands on to. */
export interface Main extends Disposable {
  readonly api: ExecSessionsApi;
  readonly tree: SessionTree;
  readonly documents: OutputDocuments;
  readonly mcpServer: McpServer;
  run(command: CommandId, args: readonly unknown[]): Promise<unknown>;
  /** The tools for language models, by their names. */
  readonly tools: ReadonlyMap<string, AgentTool>;
  /** Stops every session; the whole ladder takes two seconds at most. */
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
      secrets: context.secrets,
      log,
      dialogs: realDialogs,
      askCommandLine,
      isTrusted: () => vscode.workspace.isTrusted,
      connect: connectRemote,
      loadTools: loadAgentTools,
      loadMcp,
      showTree: (tree) => new SessionsView(tree, view, systemClock),
    }),
  );
  const { agentTools, callPlace, commands, messages } = services;
  store.add(followAgentsAllowed(services));
  services.settings.check();
  if (demo) {
    void startDemo(services);
  }
  return {
    api: services.api,
    tree: services.tree,
    documents: services.documents,
    mcpServer: services.mcpServer,
    tools: new Map(
      toolDefinitions.map((definition) => [
        definition.name,
        new AgentTool(definition, agentTools, callPlace),
      ]),
    ),
    run: (command, args) => runCommand(commands, messages, command, args),
    shutdown: () => services.shutdown(),
    dispose: () => store.dispose(),
  };
}
