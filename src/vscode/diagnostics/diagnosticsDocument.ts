import os from 'node:os';

import * as vscode from 'vscode';

import type { Disposable } from '../../core/index.js';
import { diagnosticsFacts, type DiagnosticsSources } from './diagnosticsFacts.js';
import { DIAGNOSTICS_SCHEME } from '../ids.js';
import { diagnosticsText } from './diagnosticsText.js';
import type { RecentProblems } from '../log.js';

const ADDRESS = vscode.Uri.from({ scheme: DIAGNOSTICS_SCHEME, path: '/Exec Sessions Diagnostics.md' });

/** The report about the extension, as a read-only document that is made anew for each request. */
export class DiagnosticsDocument implements vscode.TextDocumentContentProvider, Disposable {
  readonly #sources: DiagnosticsSources;
  readonly #problems: RecentProblems;
  readonly #didChange = new vscode.EventEmitter<vscode.Uri>();

  readonly onDidChange = this.#didChange.event;

  constructor(sources: DiagnosticsSources, problems: RecentProblems) {
    this.#sources = sources;
    this.#problems = problems;
  }

  async open(): Promise<void> {
    // An open document has the text of the last request.
    this.#didChange.fire(ADDRESS);
    const document = await vscode.workspace.openTextDocument(ADDRESS);
    await vscode.window.showTextDocument(document, { preview: false });
  }

  async copy(): Promise<void> {
    await vscode.env.clipboard.writeText(await this.provideTextDocumentContent());
  }

  async provideTextDocumentContent(): Promise<string> {
    return diagnosticsText({
      sections: await diagnosticsFacts(this.#sources),
      problems: this.#problems.all,
      homeDir: os.homedir(),
    });
  }

  dispose(): void {
    this.#didChange.dispose();
  }
}
