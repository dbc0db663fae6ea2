import * as vscode from 'vscode';

import { type Grouping, GROUPINGS, NO_FILTER } from '../../../sessions/tree/index.js';
import { nameInMessage } from '../../../sessions/words/index.js';
import { type CommandHandlers, CommandId } from '../commandIds.js';
import type { CommandContext } from '../context.js';
import { wanted } from '../wanted.js';
import { askFilter } from './filterPrompt.js';

/** Commands that change which sessions are shown and in which order, and mark sessions. */
export function arrangeCommands(context: CommandContext) {
  const { arrangement, marks, targets, dialogs, messages } = context;
  let isAsking = false;
  return {
    [CommandId.filter]: async (filter) => {
      // A menu of the view may pass the focused row.
      const told = typeof filter === 'object' && !('kind' in filter) ? filter : undefined;
      if (told !== undefined) {
        arrangement.show(told);
      } else if (!isAsking) {
        isAsking = true;
        await askFilter(context).finally(() => (isAsking = false));
      }
    },
    [CommandId.clearFilter]: () => {
      arrangement.show(NO_FILTER);
      return Promise.resolve();
    },
    [CommandId.groupBy]: async (grouping) => {
      const told = GROUPINGS.find((one) => one === grouping);
      const items = GROUPINGS.map((one) => ({
        label: groupingText(one),
        description: one === arrangement.current.grouping ? vscode.l10n.t('now') : '',
        grouping: one,
      }));
      const title = vscode.l10n.t('Group By');
      const chosen = told ?? (await dialogs.pick(items, { title }))?.grouping;
      if (chosen !== undefined) {
        arrangement.groupBy(chosen);
      }
    },
    [CommandId.showElsewhereApart]: () => {
      arrangement.showElsewhere('apart');
      return Promise.resolve();
    },
    [CommandId.showElsewhereInPlace]: () => {
      arrangement.showElsewhere('inPlace');
      return Promise.resolve();
    },
    [CommandId.pin]: async (target, all) => {
      const sessions = await targets.many(target, all, wanted.any(vscode.l10n.t('Pin')));
      marks.set(sessions, 'pinned', true);
    },
    [CommandId.unpin]: async (target, all) => {
      const sessions = await targets.many(target, all, wanted.any(vscode.l10n.t('Unpin')));
      marks.set(sessions, 'pinned', false);
    },
    [CommandId.notifyAtEnd]: async (target, all) => {
      for (const session of await targets.many(target, all, wanted.notify())) {
        const name = nameInMessage(session.label);
        const notify = !marks.has(session, 'notify');
        marks.set([session], 'notify', notify);
        messages.did(
          notify
            ? vscode.l10n.t('You will be told when "{0}" ends.', name)
            : vscode.l10n.t('You will not be told when "{0}" ends.', name),
        );
      }
    },
  } satisfies Partial<CommandHandlers>;
}

function groupingText(grouping: Grouping): string {
  switch (grouping) {
    case 'state':
      return vscode.l10n.t('State');
    case 'owner':
      return vscode.l10n.t('Owner');
    case 'environment':
      return vscode.l10n.t('Environment');
    case 'folder':
      return vscode.l10n.t('Folder');
  }
}
