import * as vscode from 'vscode';

import { nameInMessage } from '../../../sessions/words/index.js';
import { CommandId, type CommandHandlers } from '../commandIds.js';
import type { CommandContext } from '../context.js';
import { wanted } from '../wanted.js';

type NoticeCommands = Pick<CommandHandlers, typeof CommandId.notifyAtEnd>;

/** Marks sessions for a notification at their end. */
export function noticeCommands({
  targets,
  marks,
  messages,
}: Pick<CommandContext, 'marks' | 'messages' | 'targets'>): NoticeCommands {
  return {
    [CommandId.notifyAtEnd]: async (target, all) => {
      for (const session of await targets.many(target, all, wanted.notify())) {
        const name = nameInMessage(session.label);
        const wanted = !marks.has(session, 'notify');
        marks.set([session], 'notify', wanted);
        messages.did(
          wanted
            ? vscode.l10n.t('You are told when "{0}" ends.', name)
            : vscode.l10n.t('You are no longer told when "{0}" ends.', name),
        );
      }
    },
  };
}
