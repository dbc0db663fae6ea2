import os from 'node:os';
import path from 'node:path';

import * as vscode from 'vscode';

import { linkOnPath, type Linked } from '../cli/linkOnPath.js';
import type { MessageAction } from '../messages.js';
import { putPrivateFile } from '../privateFile.js';
import { UserError } from '../userError.js';
import { CommandId, type CommandHandlers } from './commandIds.js';
import type { CommandContext } from './context.js';

type CliCommands = Pick<CommandHandlers, typeof CommandId.installCommandLine>;

/** Commands for the command line. */
export function cliCommands({
  cliWrapper,
  messages,
}: Pick<CommandContext, 'cliWrapper' | 'messages'>): CliCommands {
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
  };

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
