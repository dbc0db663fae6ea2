import * as vscode from 'vscode';

import { oneLine } from '../../../core/index.js';
import {
  type Grouping,
  GROUPINGS,
  isFiltering,
  NO_FILTER,
  toggled,
  type TreeFilter,
  withText,
} from '../../../sessions/tree/index.js';
import { nameInMessage, withoutIcons } from '../../../sessions/words/index.js';
import { type CommandHandlers, CommandId } from '../commandIds.js';
import type { CommandContext } from '../context.js';
import { wanted } from '../wanted.js';

type ArrangeCommands = Pick<
  CommandHandlers,
  | typeof CommandId.filter
  | typeof CommandId.clearFilter
  | typeof CommandId.groupBy
  | typeof CommandId.showElsewhereApart
  | typeof CommandId.showElsewhereInPlace
  | typeof CommandId.pin
  | typeof CommandId.unpin
  | typeof CommandId.notifyAtEnd
>;

/** Commands that change which sessions are shown and in which order, and mark sessions. */
export function arrangeCommands(
  context: Pick<
    CommandContext,
    'arrangement' | 'dialogs' | 'environments' | 'list' | 'marks' | 'messages' | 'targets'
  >,
): ArrangeCommands {
  const { arrangement, marks, targets, dialogs, messages } = context;
  return {
    [CommandId.filter]: async (filter) => {
      // A menu of the view may pass the focused row.
      const told = typeof filter === 'object' && !('kind' in filter) ? filter : undefined;
      const next = told ?? (await askFilter(context));
      if (next !== undefined) {
        arrangement.show(next);
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
            ? vscode.l10n.t('You are told when "{0}" ends.', name)
            : vscode.l10n.t('You are no longer told when "{0}" ends.', name),
        );
      }
    },
  };
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

interface FilterItem extends vscode.QuickPickItem {
  /** The filter after this item was chosen; undefined asks for a text. */
  readonly next?: TreeFilter;
}

/** @returns undefined if the user gave up. */
async function askFilter({
  arrangement,
  list,
  environments,
  dialogs,
}: Pick<CommandContext, 'arrangement' | 'dialogs' | 'environments' | 'list'>): Promise<
  TreeFilter | undefined
> {
  const { filter } = arrangement.current;
  const item = (label: string, next: TreeFilter, detail?: string): FilterItem => ({
    // Choosing a criterion that is set removes it.
    label: `${Object.keys(next).length < Object.keys(filter).length ? '$(check) ' : ''}${label}`,
    ...(detail !== undefined && { description: detail }),
    next,
  });
  const folders = [...new Set(list.sessions.map(({ request }) => request.cwd))].sort();
  const items: readonly FilterItem[] = [
    { label: vscode.l10n.t('Text…'), description: withoutIcons(oneLine(filter.text ?? '')) },
    item(vscode.l10n.t('Started by agents'), toggled(filter, 'agent', true)),
    item(vscode.l10n.t('Failed'), toggled(filter, 'failed', true)),
    ...environments.all.map(({ id, label }) =>
      item(withoutIcons(oneLine(label)), toggled(filter, 'environment', id), vscode.l10n.t('environment')),
    ),
    ...folders.map((folder) =>
      item(withoutIcons(oneLine(folder)), toggled(filter, 'folder', folder), vscode.l10n.t('folder')),
    ),
    ...(isFiltering(filter) ? [{ label: vscode.l10n.t('Clear Filter'), next: NO_FILTER }] : []),
  ];
  const picked = await dialogs.pick(items, {
    title: vscode.l10n.t('Filter'),
    placeHolder: vscode.l10n.t('Choose what to show; each choice is added to the earlier ones'),
    matchOnDescription: true,
  });
  if (picked === undefined || picked.next !== undefined) {
    return picked?.next;
  }
  const text = await dialogs.input({
    title: vscode.l10n.t('Filter'),
    prompt: vscode.l10n.t(
      'Words of the name, the command line, the directory or the agent. Leave it empty to show all sessions.',
    ),
    value: filter.text ?? '',
  });
  return text === undefined ? undefined : withText(filter, text.trim());
}
