import * as vscode from 'vscode';

import type { ExecSessionsApi } from './api/exec-sessions.js';
import { offerToAgents } from './entry/agents.js';
import { lazyApi, LazyMain } from './entry/lazyMain.js';
import {
  createView,
  offerCommandLine,
  registerCommands,
  registerDocuments,
  registerProfile,
  registerTasks,
} from './entry/contributions.js';
import { loadWithServer } from './entry/loadWithServer.js';
import { rememberedServer } from './vscode/agents/mcpRemembered.js';
import { OPEN_TERMINALS_KEY } from './vscode/ids.js';
import type * as sight from './vscode/machine/awaitServer.js';
import type * as mainModule from './vscode/main.js';

/** The part that `deactivate`, which gets no argument, has to shut down. */
let running: LazyMain | undefined;

/**
 * VS Code calls this at the start of every window. So it only registers what the extension has, and each part loads the
 * rest with its first use.
 */
export function activate(context: vscode.ExtensionContext): ExecSessionsApi {
  const demo = process.env['EXEC_SESSIONS_DEMO'] === '1';
  const main = new LazyMain((log) => loadMain().start({ context, log, view, demo }));
  running = main;
  const view = createView(main);
  context.subscriptions.push(
    view,
    registerCommands(main, context.extension),
    registerDocuments(main),
    registerProfile(main),
    registerTasks(main),
    offerToAgents(main, context.extension),
    // A mistake in the settings is reported when it is made.
    vscode.workspace.onDidChangeConfiguration((change) => {
      if (change.affectsConfiguration('execSessions')) {
        main.loadUnasked();
      }
    }),
    vscode.workspace.onDidGrantWorkspaceTrust(() => main.loadUnasked()),
    main,
  );
  offerCommandLine(main, context);
  const hadTerminals = context.workspaceState.get(OPEN_TERMINALS_KEY) !== undefined;
  if (demo || hadTerminals || rememberedServer(context.workspaceState)?.known === true) {
    main.loadUnasked();
  } else {
    context.subscriptions.push(loadWithServer(main, loadSight));
  }
  return lazyApi(main);
}

export async function deactivate(): Promise<void> {
  await running?.shutdown();
  running = undefined;
}

/** Synchronous, as the API is. */
function loadMain(): typeof mainModule {
  // eslint-disable-next-line @typescript-eslint/no-require-imports -- an import() would be asynchronous
  return require('./vscode/main.js') as typeof mainModule;
}

/** Synchronous, since nobody waits: it is called after the activation. */
function loadSight(): typeof sight {
  // eslint-disable-next-line @typescript-eslint/no-require-imports -- as above
  return require('./vscode/machine/awaitServer.js') as typeof sight;
}
