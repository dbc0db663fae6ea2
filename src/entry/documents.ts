import * as vscode from 'vscode';

import { OUTPUT_SCHEME } from '../vscode/output/outputScheme.js';
import type { Rest } from './rest.js';

/** Registers the documents with the output of sessions. */
export function registerDocuments(rest: Rest): vscode.Disposable {
  const changed = new vscode.EventEmitter<vscode.Uri>();
  rest.onDidLoad(({ documents }) => documents.onDidChange((uri) => changed.fire(uri)));
  return vscode.workspace.registerTextDocumentContentProvider(OUTPUT_SCHEME, {
    onDidChange: changed.event,
    provideTextDocumentContent: (uri) => rest.load().documents.provideTextDocumentContent(uri),
  });
}
