import * as vscode from 'vscode';

import { DIAGNOSTICS_SCHEME } from '../vscode/diagnostics/diagnosticsScheme.js';
import type { Main } from '../vscode/main.js';
import { OUTPUT_SCHEME } from '../vscode/output/outputScheme.js';
import type { Rest } from './rest.js';

/** Registers the documents with the output of sessions, and the report about the extension. */
export function registerDocuments(rest: Rest): vscode.Disposable {
  return vscode.Disposable.from(
    register(rest, OUTPUT_SCHEME, ({ documents }) => documents),
    register(rest, DIAGNOSTICS_SCHEME, ({ diagnostics }) => diagnostics),
  );
}

function register(
  rest: Rest,
  scheme: string,
  provider: (main: Main) => Pick<vscode.TextDocumentContentProvider, 'provideTextDocumentContent'> & {
    readonly onDidChange: vscode.Event<vscode.Uri>;
  },
): vscode.Disposable {
  const changed = new vscode.EventEmitter<vscode.Uri>();
  rest.onDidLoad((main) => provider(main).onDidChange((uri) => changed.fire(uri)));
  return vscode.workspace.registerTextDocumentContentProvider(scheme, {
    onDidChange: changed.event,
    provideTextDocumentContent: (uri, token) => provider(rest.load()).provideTextDocumentContent(uri, token),
  });
}
