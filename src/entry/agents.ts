import { join } from 'node:path';

import * as vscode from 'vscode';

import { type OfferedServer, offerMcpServer } from './mcpDefinitions.js';
import type { LazyMain } from './lazyMain.js';
import { type Disposable, DisposableStore, nothingToDispose } from '../core/index.js';

/** The parts of our package.json that are used. */
interface Manifest {
  readonly version: string;
  readonly contributes: { readonly languageModelTools: readonly { readonly name: string }[] };
}

/** Offers the tools and the MCP server to VS Code. */
export function offerToAgents(
  main: LazyMain,
  { packageJSON, extensionPath }: vscode.Extension<unknown>,
): vscode.Disposable {
  const { version, contributes } = packageJSON as Manifest;
  const logError = (line: string) => main.logError(line);
  const tools = new Map(contributes.languageModelTools.map(({ name }) => [name, lazyTool(main, name)]));
  return vscode.Disposable.from(
    offer(() => registerLanguageModelTools(tools), logError),
    offer(
      () => offerMcpServer(lazyMcpServer(main, join(extensionPath, 'dist', 'exec-server.js'), version)),
      logError,
    ),
  );
}

function lazyTool(main: LazyMain, name: string): Required<vscode.LanguageModelTool<object>> {
  const tool = () => {
    const found = main.load().tools.get(name);
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
function lazyMcpServer(main: LazyMain, program: string, version: string): OfferedServer {
  const changed = new vscode.EventEmitter<void>();
  main.onDidLoad(({ mcpServer }) => {
    mcpServer.onDidChangeAllowed(() => changed.fire());
    // The rest may have been loaded because the answer has changed.
    changed.fire();
  });
  return {
    get allowed() {
      return main.loaded?.mcpServer.allowed ?? allowedAtStart();
    },
    onDidChangeAllowed: changed.event,
    program,
    version,
  };
}

function allowedAtStart(): boolean {
  return (
    vscode.workspace.isTrusted &&
    vscode.workspace.getConfiguration('execSessions').get('agents.enabled') !== false
  );
}

type Tool = vscode.LanguageModelTool<object>;

/** Offers the tools to language models, if this VS Code, or the program built from it, supports such tools. */
export function registerLanguageModelTools(
  tools: ReadonlyMap<string, Tool>,
  api: unknown = vscode,
): Disposable {
  const store = new DisposableStore();
  if (!hasTools(api)) {
    return store;
  }
  try {
    for (const [name, tool] of tools) {
      store.add(api.lm.registerTool(name, tool));
    }
  } catch (error) {
    store.dispose();
    throw error;
  }
  return store;
}

function hasTools(api: unknown): api is Pick<typeof vscode, 'lm'> {
  return typeof (api as Partial<typeof vscode>).lm?.registerTool === 'function';
}

/**
 * Registers an offer to agents; a failure is only logged. Programs built from VS Code may have these functions and
 * reject every call. People can do without agents, but not without the rest of the extension.
 */
export function offer(register: () => Disposable, logError: (line: string) => void): Disposable {
  try {
    return register();
  } catch (error) {
    logError(`Not offered to agents: ${error instanceof Error ? error.message : String(error)}`);
    return nothingToDispose;
  }
}
