import * as vscode from 'vscode';

import { CommandId, type CommandHandlers } from './commandIds.js';
import type { CommandContext } from './context.js';

type DiagnosticsCommands = Pick<
  CommandHandlers,
  typeof CommandId.showLog | typeof CommandId.showDiagnostics | typeof CommandId.copyDiagnostics
>;

/** Commands that show what the extension did, and what it has found. */
export function diagnosticsCommands({ diagnostics, log, messages }: CommandContext): DiagnosticsCommands {
  return {
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
