import * as vscode from 'vscode';

import type { ExecSessionsApi } from './api/exec-sessions.js';
import { offerToAgents } from './entry/agents.js';
import { lazyApi } from './entry/api.js';
import { offerCommandLine } from './entry/commandLine.js';
import { registerCommands } from './entry/commands.js';
import { registerDocuments } from './entry/documents.js';
import { registerProfile } from './entry/profile.js';
import { Rest } from './entry/rest.js';
import { loadWithServer } from './entry/serverSight.js';
import { registerTasks } from './entry/tasks.js';
import { createView } from './entry/view.js';
import { rememberedServer } from './vscode/agents/mcpRemembered.js';
import { OPEN_TERMINALS_KEY } from './vscode/terminals/openTerminalsKey.js';
import type * as sight from './vscode/machine/serverSight.js';
import type * as main from './vscode/main.js';

/** The part that `deactivate`, which gets no argument, has to shut down. */
let running: Rest | undefined;

/**
 * VS Code calls this at the start of every window. So it only registers what the extension has, and each part loads the
 * rest with its first use.
 */
export function activate(context: vscode.ExtensionContext): ExecSessionsApi {
  const demo = process.env['EXEC_SESSIONS_DEMO'] === '1';
  const rest = new Rest((log) => loadMain().start({ context, log, view, demo }));
  running = rest;
  const view = createView(rest);
  context.subscriptions.push(
    view,
    registerCommands(rest, context.extension),
    registerDocuments(rest),
    registerProfile(rest),
    registerTasks(rest),
    offerToAgents(rest, context.extension),
    // A mistake in the settings is reported when it is made.
    vscode.workspace.onDidChangeConfiguration((change) => {
      if (change.affectsConfiguration('execSessions')) {
        rest.loadUnasked();
      }
    }),
    vscode.workspace.onDidGrantWorkspaceTrust(() => rest.loadUnasked()),
    rest,
  );
  offerCommandLine(rest, context);
  const hadTerminals = context.workspaceState.get(OPEN_TERMINALS_KEY) !== undefined;
  if (demo || hadTerminals || rememberedServer(context.workspaceState)?.known === true) {
    rest.loadUnasked();
  } else {
    context.subscriptions.push(loadWithServer(rest, loadSight));
  }
  return lazyApi(rest);
}

export async function deactivate(): Promise<void> {
  await running?.shutdown();
  running = undefined;
}

/** Synchronous, as the API is. */
function loadMain(): typeof main {
  // eslint-disable-next-line @typescript-eslint/no-require-imports -- an import() would be asynchronous
  return require('./vscode/main.js') as typeof main;
}

/** Synchronous, since nobody waits: it is called after the activation. */
function loadSight(): typeof sight {
  // eslint-disable-next-line @typescript-eslint/no-require-imports -- as above
  return require('./vscode/machine/serverSight.js') as typeof sight;
}
