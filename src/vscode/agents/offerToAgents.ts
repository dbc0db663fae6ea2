import * as vscode from 'vscode';

import { type Disposable, DisposableStore, nothingToDispose } from '../../core/index.js';
import { settingId } from '../../sessions/options/index.js';
import { oneLine } from '../../sessions/words/index.js';
import type { Services } from '../services.js';
import { registerLanguageModelTools } from './languageModelTools.js';
import { offerMcpServer } from './mcpDefinitions.js';
import { errorText } from '../userError.js';

/**
 * Offers the tools to VS Code, and starts the MCP server if a program outside VS Code was given its address. The tools
 * are not loaded for this.
 */
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
 * Registers an offer; a failure is only logged. Programs that are built from VS Code may have these functions and
 * reject every call, and people can do without agents, but not without the rest of the extension.
 */
export function offer(register: () => Disposable, log: vscode.LogOutputChannel): Disposable {
  try {
    return register();
  } catch (error) {
    log.error(`Not offered to agents: ${oneLine(errorText(error))}`);
    return nothingToDispose;
  }
}
