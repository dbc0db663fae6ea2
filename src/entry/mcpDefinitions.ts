import * as vscode from 'vscode';

import { type Disposable, DisposableStore, type Event, nothingToDispose } from '../core/index.js';
import type { McpAddress } from '../vscode/agents/mcpConfiguration.js';

/** The id of the provider, as in package.json. */
const MCP_PROVIDER = 'execSessions.mcp';

/** `vscode.McpHttpServerDefinition`, in VS Code from 1.101 on. */
export interface McpHttpServerDefinition {
  uri: vscode.Uri;
  headers: Record<string, string>;
}

/** The parts of `vscode.McpServerDefinitionProvider` that are used. */
export interface McpServerDefinitionProvider {
  readonly onDidChangeMcpServerDefinitions: vscode.Event<void>;
  provideMcpServerDefinitions(): readonly McpHttpServerDefinition[];
  resolveMcpServerDefinition(definition: McpHttpServerDefinition): Promise<McpHttpServerDefinition>;
}

/** The API that VS Code has from 1.101 on; we build with the types of an older version. */
export interface McpApi {
  readonly version: string;
  readonly McpHttpServerDefinition: new (
    label: string,
    uri: vscode.Uri,
    headers: Record<string, string>,
    version: string,
  ) => McpHttpServerDefinition;
  readonly lm: {
    registerMcpServerDefinitionProvider(id: string, provider: McpServerDefinitionProvider): vscode.Disposable;
  };
}

/** The MCP server, as far as the offer needs it. */
export interface OfferedServer {
  /** Whether it may run here now. VS Code wants to know when it starts. */
  readonly allowed: boolean;
  /** Fires when {@link allowed} may have changed. */
  readonly onDidChangeAllowed: Event<void>;
  /** @throws Error if it cannot run. */
  start(known: false): Promise<McpAddress>;
}

/** A placeholder: the server's address is unknown before it has started. */
const NOWHERE = 'http://127.0.0.1:0/mcp';

/**
 * Offers the MCP server to VS Code itself, if this VS Code accepts such offers. The server starts when VS Code connects
 * to it.
 *
 * @param version The version of the extension. When it changes, VS Code asks for the tools again.
 */
export function offerMcpServer(server: OfferedServer, version: string, api: unknown = vscode): Disposable {
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
        provideMcpServerDefinitions: () =>
          server.allowed
            ? [new api.McpHttpServerDefinition('Exec Sessions', vscode.Uri.parse(NOWHERE), {}, version)]
            : [],
        resolveMcpServerDefinition: async (definition) => {
          const { url, token } = await server.start(false);
          definition.uri = vscode.Uri.parse(url);
          definition.headers = { Authorization: `Bearer ${token}` };
          return definition;
        },
      }),
    );
  } catch (error) {
    store.dispose();
    throw error;
  }
  return store;
}

/**
 * The first minor version with this API. In 1.100 the function exists as a proposal with another contract, and throws
 * when it is called.
 */
const FIRST_MINOR = 101;

function takesOffers(api: unknown): api is McpApi {
  const { version = '', lm, McpHttpServerDefinition: definition } = api as Partial<McpApi>;
  const [major = 0, minor = 0] = version.split('.').map(Number);
  return (
    (major > 1 || minor >= FIRST_MINOR) &&
    typeof lm?.registerMcpServerDefinitionProvider === 'function' &&
    typeof definition === 'function'
  );
}
