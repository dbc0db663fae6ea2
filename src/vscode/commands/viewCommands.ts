import * as vscode from 'vscode';

import { nameInMessage } from '../../sessions/words/index.js';
import { CommandId, type CommandHandlers } from './commandIds.js';
import type { CommandContext } from './context.js';
import { wanted } from './wanted.js';

type ViewCommands = Pick<
  CommandHandlers,
  | typeof CommandId.openTerminal
  | typeof CommandId.openAnotherTerminal
  | typeof CommandId.rename
  | typeof CommandId.showLog
>;

/** Commands that show something, or change how it is shown. */
export function viewCommands({
  targets,
  terminals,
  dialogs,
  messages,
  log,
  reveal,
}: CommandContext): ViewCommands {
  return {
    [CommandId.openTerminal]: async (target, all, options) => {
      const preserveFocus = options?.preserveFocus === true;
      const question = vscode.l10n.t('Open Terminal');
      for (const session of await targets.many(target, all, wanted.open(question))) {
        terminals.open(session, { preserveFocus });
      }
    },
    [CommandId.openAnotherTerminal]: async (target) => {
      const session = await targets.one(target, wanted.open(vscode.l10n.t('Open Another Terminal')));
      if (session !== undefined) {
        terminals.open(session, { newTerminal: true });
      }
    },
    [CommandId.rename]: async (target, all, title) => {
      const [session] = await targets.many(target, all, wanted.rename());
      if (session === undefined) {
        return;
      }
      const name =
        title ??
        (await dialogs.input({
          // The title names the session, since the key takes the selected row, which need not be the one with the
          // focus.
          title: vscode.l10n.t('Rename "{0}"', nameInMessage(session.label)),
          prompt: vscode.l10n.t('Leave it empty to show the command line again.'),
          value: session.label,
        }));
      if (name !== undefined) {
        session.rename(name === session.commandLine ? '' : name);
        messages.did(vscode.l10n.t('Renamed to "{0}".', nameInMessage(session.label)));
        await reveal(session);
      }
    },
    [CommandId.showLog]: async () => {
      log.show();
      return Promise.resolve();
    },
  };
}
