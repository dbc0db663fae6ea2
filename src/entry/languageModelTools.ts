import * as vscode from 'vscode';

import { type Disposable, DisposableStore } from '../core/index.js';

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
