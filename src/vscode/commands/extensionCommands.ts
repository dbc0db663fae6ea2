import path from 'node:path';
import os from 'node:os';

import * as vscode from 'vscode';

import { type CommandHandlers, CommandId } from './commandIds.js';
import type { CommandContext } from './context.js';
import { type Linked, linkOnPath } from '../cli/linkOnPath.js';
import type { MessageAction } from '../messages.js';
import { putPrivateFile } from '../privateFile.js';
import { UserError } from '../userError.js';

/** Commands that explain the extension, show what it did, and install its command line. */
export function extensionCommands({ cliWrapper, diagnostics, extensionPath, log, messages }: CommandContext) {
  return {
    [CommandId.installCommandLine]: async () => {
      putPrivateFile(cliWrapper.file, cliWrapper.text);
      if (process.platform === 'win32') {
        // Links need rights there that few have.
        const text = vscode.l10n.t(
          'Add this folder to the variable PATH of your account, in the settings of Windows: {0}',
          cliWrapper.folder,
        );
        messages.tell(text, [copy(vscode.l10n.t('Copy Folder'), cliWrapper.folder)]);
        return;
      }
      tell(await linkOnPath(cliWrapper, os.homedir(), process.env));
    },
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
  } satisfies Partial<CommandHandlers>;

  function tell({ outcome, link, onPath }: Linked): void {
    const folder = path.dirname(link);
    if (outcome === 'taken') {
      throw new UserError(
        vscode.l10n.t(
          '{0} does not belong to Exec Sessions, so it was not changed. Remove it and try again, or add {1} to your PATH.',
          link,
          cliWrapper.folder,
        ),
      );
    }
    const done =
      outcome === 'linked'
        ? vscode.l10n.t('Linked {0}.', link)
        : vscode.l10n.t('{0} was linked already.', link);
    if (onPath) {
      messages.tell(done);
      return;
    }
    const line = `export PATH="$PATH:${folder}"`;
    const next = vscode.l10n.t(
      'Your shells do not look there yet: add this line to their profile (~/.profile, ~/.zshrc): {0}',
      line,
    );
    messages.tell(`${done} ${next}`, [copy(vscode.l10n.t('Copy Line'), line)]);
  }
}

function copy(title: string, text: string): MessageAction {
  return { title, run: () => vscode.env.clipboard.writeText(text) };
}
