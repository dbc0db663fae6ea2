import * as vscode from 'vscode';

import { type Disposable, DisposableStore } from '../../core/index.js';
import { settingId } from '../../sessions/options/index.js';
import type { Services } from '../services.js';

/**
 * Starts the MCP server if a program outside VS Code was given its address. Ends the server and all calls of tools when
 * agents are switched off. The tools are not loaded for this.
 */
export function followAgentsAllowed({
  agentTools,
  mcpServer,
  messages,
}: Pick<Services, 'agentTools' | 'mcpServer' | 'messages'>): Disposable {
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
