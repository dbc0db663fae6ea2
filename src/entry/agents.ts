import * as vscode from 'vscode';

import { offerMcpServer, type OfferedServer } from './mcpDefinitions.js';
import { registerLanguageModelTools } from './languageModelTools.js';
import { offer } from './offer.js';
import type { Rest } from './rest.js';

/** The parts of our package.json that are used. */
interface Manifest {
  readonly version: string;
  readonly contributes: { readonly languageModelTools: readonly { readonly name: string }[] };
}

/** Offers the tools and the MCP server to VS Code. */
export function offerToAgents(rest: Rest, { packageJSON }: vscode.Extension<unknown>): vscode.Disposable {
  const { version, contributes } = packageJSON as Manifest;
  const logError = (line: string) => rest.logError(line);
  const tools = new Map(contributes.languageModelTools.map(({ name }) => [name, lazyTool(rest, name)]));
  return vscode.Disposable.from(
    offer(() => registerLanguageModelTools(tools), logError),
    offer(() => offerMcpServer(lazyMcpServer(rest), version), logError),
  );
}

function lazyTool(rest: Rest, name: string): Required<vscode.LanguageModelTool<object>> {
  const tool = () => {
    const found = rest.load().tools.get(name);
    if (found === undefined) {
      throw new Error(`There is no tool called ${name}.`);
    }
    return found;
  };
  return {
    prepareInvocation: (options) => tool().prepareInvocation(options),
    invoke: async (options, token) => tool().invoke(options, token),
  };
}

/** VS Code asks at its start whether the server may run, so the answer does not need the rest. */
function lazyMcpServer(rest: Rest): OfferedServer {
  const changed = new vscode.EventEmitter<void>();
  rest.onDidLoad(({ mcpServer }) => {
    mcpServer.onDidChangeAllowed(() => changed.fire());
    // The rest may have been loaded because the answer has changed.
    changed.fire();
  });
  return {
    get allowed() {
      return rest.loaded?.mcpServer.allowed ?? allowedAtStart();
    },
    onDidChangeAllowed: changed.event,
    start: async (known) => rest.load().mcpServer.start(known),
  };
}

function allowedAtStart(): boolean {
  return (
    vscode.workspace.isTrusted &&
    vscode.workspace.getConfiguration('execSessions').get('agents.enabled') !== false
  );
}
