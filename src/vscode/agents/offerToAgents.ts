import * as vscode from 'vscode';

import { type Disposable, DisposableStore } from '../../core/index.js';
import { settingId } from '../../sessions/options/index.js';
import { oneLine } from '../../sessions/words/index.js';
import type { Services } from '../services.js';
import { registerLanguageModelTools } from './languageModelTools.js';
import { offerMcpServer } from './mcpDefinitions.js';
import { errorText } from '../userError.js';

/** Makes the tools known to VS Code, and serves MCP where somebody counts on it. Loads nothing of them. */
export function offerToAgents(
  { agentTools, callPlace, mcpServer, messages }: Services,
  version: string,
  log: vscode.LogOutputChannel,
): Disposable {
  const store = new DisposableStore();
  store.add(offer(() => registerLanguageModelTools(agentTools, callPlace), log));
  store.add(offer(() => offerMcpServer(mcpServer, version), log));
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

/**
 * What is built of VS Code may have these functions, and refuse to be called by everybody: people can do without agents,
 * but not without the rest of the extension.
 */
export function offer(register: () => Disposable, log: vscode.LogOutputChannel): Disposable {
  try {
    return register();
  } catch (error) {
    log.error(`Not offered to agents: ${oneLine(errorText(error))}`);
    return { dispose: () => undefined };
  }
}
