import * as vscode from 'vscode';

import { type Disposable, DisposableStore, type Event, nothingToDispose } from '../core/index.js';

/** The id of the provider, as in package.json. */
const MCP_PROVIDER = 'execSessions.mcp';

/** `vscode.McpStdioServerDefinition`, in VS Code from 1.101 on. */
export interface McpStdioServerDefinition {
  cwd?: vscode.Uri | undefined;
}

/** The parts of `vscode.McpServerDefinitionProvider` that are used. */
export interface McpServerDefinitionProvider {
  readonly onDidChangeMcpServerDefinitions: vscode.Event<void>;
  provideMcpServerDefinitions(): readonly McpStdioServerDefinition[];
}

/** The API that VS Code has from 1.101 on; we build with the types of an older version. */
export interface McpApi {
  readonly version: string;
  readonly McpStdioServerDefinition: new (
    label: string,
    command: string,
    args: string[],
    env: Record<string, string>,
    version: string,
  ) => McpStdioServerDefinition;
  readonly lm: {
    registerMcpServerDefinitionProvider(id: string, provider: McpServerDefinitionProvider): vscode.Disposable;
  };
}

/** The MCP server, as far as the offer needs it. */
export interface OfferedServer {
  /** Whether agents may use sessions here now. */
  readonly allowed: boolean;
  /** Fires when {@link allowed} may have changed. */
  readonly onDidChangeAllowed: Event<void>;
  /** The file of `exec-server`. */
  readonly program: string;
  /** The version of the extension. When it changes, VS Code asks for the tools again. */
  readonly version: string;
}

/**
 * Offers the MCP server to VS Code itself, if this VS Code accepts such offers. VS Code starts it, and agents outside
 * of the window can use it too: some take no server with an address and a token.
 */
export function offerMcpServer(server: OfferedServer, api: unknown = vscode): Disposable {
  if (!takesOffers(api)) {
    return nothingToDispose;
  }
  const store = new DisposableStore();
  const changed = store.add(new vscode.EventEmitter<void>());
  store.add(server.onDidChangeAllowed(() => changed.fire()));
  try {
    store.add(
      api.lm.registerMcpServerDefinitionProvider(MCP_PROVIDER, {
        onDidChangeMcpServerDefinitions: changed.event,
        provideMcpServerDefinitions: () => (server.allowed ? [definitionOf(server, api)] : []),
      }),
    );
  } catch (error) {
    store.dispose();
    throw error;
  }
  return store;
}

function definitionOf({ program, version }: OfferedServer, api: McpApi): McpStdioServerDefinition {
  const env = { ELECTRON_RUN_AS_NODE: '1' };
  const args = [program, 'mcp'];
  const definition = new api.McpStdioServerDefinition('Exec Sessions', process.execPath, args, env, version);
  definition.cwd = vscode.workspace.workspaceFolders?.[0]?.uri;
  return definition;
}

/**
 * The first minor version with this API. In 1.100 the function exists as a proposal with another contract, and throws
 * when it is called.
 */
const FIRST_MINOR = 101;

function takesOffers(api: unknown): api is McpApi {
  const { version = '', lm, McpStdioServerDefinition: definition } = api as Partial<McpApi>;
  const [major = 0, minor = 0] = version.split('.').map(Number);
  return (
    (major > 1 || minor >= FIRST_MINOR) &&
    typeof lm?.registerMcpServerDefinitionProvider === 'function' &&
    typeof definition === 'function'
  );
}
