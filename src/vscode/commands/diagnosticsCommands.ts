import path from 'node:path';

import * as vscode from 'vscode';

import { CommandId, type CommandHandlers } from './commandIds.js';
import type { CommandContext } from './context.js';

type DiagnosticsCommands = Pick<
  CommandHandlers,
  | typeof CommandId.openDocumentation
  | typeof CommandId.showLog
  | typeof CommandId.showDiagnostics
  | typeof CommandId.copyDiagnostics
>;

/** Commands that explain the extension, and show what it did. */
export function diagnosticsCommands({
  diagnostics,
  extensionPath,
  log,
  messages,
}: Pick<CommandContext, 'diagnostics' | 'extensionPath' | 'log' | 'messages'>): DiagnosticsCommands {
  return {
    [CommandId.openDocumentation]: async () => {
      // VS Code opens no relative link of the README that it shows for an extension.
      const index = vscode.Uri.file(path.join(extensionPath, 'docs/README.md'));
      await vscode.commands.executeCommand('markdown.showPreview', index);
    },
    [CommandId.showLog]: () => {
      log.show();
      return Promise.resolve();
    },
    [CommandId.showDiagnostics]: () => diagnostics.open(),
    [CommandId.copyDiagnostics]: async () => {
      await diagnostics.copy();
      messages.did(vscode.l10n.t('Copied the diagnostics.'));
    },
  };
}
