import * as vscode from 'vscode';

import type { ExecSessionsApi } from './api/exec-sessions.js';
import { loadAgentTools } from './vscode/agents/lazyAgentTools.js';
import { loadMcp } from './vscode/agents/mcpServer.js';
import { offerToAgents } from './vscode/agents/offerToAgents.js';
import { askCommandLine } from './vscode/commands/commandLinePrompt.js';
import { registerCommands } from './vscode/commands/registerCommands.js';
import { startDemo } from './vscode/demo.js';
import { realDialogs } from './vscode/dialogs.js';
import { connectRemote } from './vscode/environments/connectRemote.js';
import { OUTPUT_SCHEME } from './vscode/output/outputDocuments.js';
import { createServices, type Services } from './vscode/services.js';
import { SessionsView } from './vscode/tree/sessionsView.js';

/** The services that `deactivate`, which gets no argument, has to shut down. */
let running: Services | undefined;

export function activate(context: vscode.ExtensionContext): ExecSessionsApi {
  const log = vscode.window.createOutputChannel('Exec Sessions', { log: true });
  try {
    running = start(context, log);
  } catch (error) {
    showActivationFailure(error, log);
    throw error;
  } finally {
    // The log comes last: subscriptions are disposed in this order, and the others write into the log until they are
    // gone.
    context.subscriptions.push(log);
  }
  if (process.env['EXEC_SESSIONS_DEMO'] === '1') {
    void startDemo(running);
  }
  return running.api;
}

export async function deactivate(): Promise<void> {
  const services = running;
  running = undefined;
  await services?.shutdown();
}

function start(context: vscode.ExtensionContext, log: vscode.LogOutputChannel): Services {
  const { version } = context.extension.packageJSON as { readonly version: string };
  const services = createServices({
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
    showTree: (tree) => new SessionsView(tree),
  });
  context.subscriptions.push(
    services,
    registerCommands(services.commands, services.messages),
    vscode.workspace.registerTextDocumentContentProvider(OUTPUT_SCHEME, services.documents),
    offerToAgents(services, version, log),
  );
  services.settings.check();
  return services;
}

function showActivationFailure(error: unknown, log: vscode.LogOutputChannel): void {
  log.error(error instanceof Error ? error : String(error));
  const showLog = vscode.l10n.t('Show Log');
  const message = vscode.l10n.t(
    'Exec Sessions could not start: {0}. Reload the window to try again.',
    error instanceof Error ? error.message : String(error),
  );
  void realDialogs.error(message, showLog).then((chosen) => {
    if (chosen === showLog) {
      log.show();
    }
  });
}
