import * as vscode from 'vscode';

import { CommandId, type CommandHandlers } from '../commandIds.js';
import type { CommandContext } from '../context.js';
import { quoted } from '../sessionNames.js';
import { wanted } from '../wanted.js';

type KeepCommands = Pick<CommandHandlers, typeof CommandId.keepRunning | typeof CommandId.doNotKeepRunning>;

/** Commands that decide how long agents' sessions go on without a window. */
export function keepCommands({
  targets,
  messages,
}: Pick<CommandContext, 'messages' | 'targets'>): KeepCommands {
  return {
    [CommandId.keepRunning]: async (target, all) => {
      const sessions = await targets.many(target, all, wanted.keepRunning());
      if (sessions.length > 0) {
        sessions.forEach(({ record }) => (record.keep = true));
        messages.did(
          vscode.l10n.t(
            'Without a window, {0} will go on for as long as your own sessions.',
            quoted(sessions),
          ),
        );
      }
    },
    [CommandId.doNotKeepRunning]: async (target, all) => {
      const sessions = await targets.many(target, all, wanted.doNotKeepRunning());
      if (sessions.length > 0) {
        sessions.forEach(({ record }) => (record.keep = false));
        messages.did(vscode.l10n.t('Without a window, {0} will end after ten minutes.', quoted(sessions)));
      }
    },
  };
}
