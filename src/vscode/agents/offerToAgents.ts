import * as vscode from 'vscode';

import { DisposableStore, type Disposable } from '../../core/index.js';
import { settingId } from '../../sessions/settings.js';
import type { Services } from '../services.js';
import { registerLanguageModelTools } from './languageModelTools.js';
import { offerMcpServer } from './mcpDefinitions.js';

/** Makes the tools known to VS Code, and serves MCP where somebody counts on it. Loads nothing of them. */
export function offerToAgents(
  { agentTools, callPlace, mcpServer, messages }: Services,
  version: string,
): Disposable {
  const store = new DisposableStore();
  store.add(registerLanguageModelTools(agentTools, callPlace));
  store.add(offerMcpServer(mcpServer, version));
  const check = () => {
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
