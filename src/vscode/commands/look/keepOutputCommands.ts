import * as vscode from 'vscode';

import { CommandId, type CommandHandlers } from '../commandIds.js';
import type { CommandContext } from '../context.js';
import { quoted } from '../sessionNames.js';
import { wanted } from '../wanted.js';

type KeepOutputCommands = Pick<
  CommandHandlers,
  typeof CommandId.keepOutput | typeof CommandId.doNotKeepOutput
>;

/** Commands that decide whether the output of sessions is kept on disk. */
export function keepOutputCommands({
  targets,
  messages,
}: Pick<CommandContext, 'messages' | 'targets'>): KeepOutputCommands {
  return {
    [CommandId.keepOutput]: async (target, all) => {
      const sessions = await targets.many(target, all, wanted.keepOutput());
      if (sessions.length > 0) {
        sessions.forEach(({ record }) => record.keepOutput(true));
        messages.did(vscode.l10n.t('The output of {0} is kept on disk.', quoted(sessions)));
      }
    },
    [CommandId.doNotKeepOutput]: async (target, all) => {
      const sessions = await targets.many(target, all, wanted.doNotKeepOutput());
      if (sessions.length > 0) {
        sessions.forEach(({ record }) => record.keepOutput(false));
        messages.did(vscode.l10n.t('The output of {0} was removed from the disk.', quoted(sessions)));
      }
    },
  };
}
