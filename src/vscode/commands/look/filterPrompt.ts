import * as vscode from 'vscode';

import { oneLine } from '../../../core/index.js';
import { isFiltering, NO_FILTER, toggled, type TreeFilter, withText } from '../../../sessions/tree/index.js';
import { withoutIcons } from '../../../sessions/words/index.js';
import { SESSIONS_VIEW } from '../../ids.js';
import type { CommandContext } from '../context.js';

interface FilterRow extends vscode.QuickPickItem {
  readonly filter?: TreeFilter;
}

/** Filters the tree while a person types. Enter keeps the filter, Esc restores the one before. */
export async function askFilter({
  arrangement,
  dialogs,
  environments,
  list,
  tree,
}: Pick<CommandContext, 'arrangement' | 'dialogs' | 'environments' | 'list' | 'tree'>): Promise<void> {
  const before = arrangement.current.filter;
  // People see the effect there.
  await vscode.commands.executeCommand(`${SESSIONS_VIEW}.focus`);
  const criterion = (label: string, filter: TreeFilter, description = ''): FilterRow => ({
    // Choosing a criterion that is set removes it.
    label: `${Object.keys(filter).length < Object.keys(before).length ? '$(check) ' : ''}${withoutIcons(oneLine(label))}`,
    description,
    filter,
  });
  const folders = [...new Set(list.sessions.map(({ request }) => request.cwd))].sort();
  const criteria: readonly FilterRow[] = [
    { label: vscode.l10n.t('or only'), kind: vscode.QuickPickItemKind.Separator },
    criterion(vscode.l10n.t('Started by agents'), toggled(before, 'agent', true)),
    criterion(vscode.l10n.t('Failed'), toggled(before, 'failed', true)),
    ...environments.all.map(({ id, label }) =>
      criterion(label, toggled(before, 'environment', id), vscode.l10n.t('environment')),
    ),
    ...folders.map((folder) => criterion(folder, toggled(before, 'folder', folder), vscode.l10n.t('folder'))),
    ...(isFiltering(before) ? [{ label: vscode.l10n.t('Clear Filter'), filter: NO_FILTER }] : []),
  ];
  const chosen = await dialogs.live<FilterRow>({
    title: vscode.l10n.t('Filter'),
    placeHolder: vscode.l10n.t('Words of a name, command line, folder or agent, or a port such as :3000'),
    value: before.text ?? '',
    follow: (typed, show) => {
      const text = typed.trim();
      const filter = withText(before, text);
      arrangement.show(filter);
      const count = tree.shown === 1 ? vscode.l10n.t('1 session') : vscode.l10n.t('{0} sessions', tree.shown);
      const label = text === '' ? vscode.l10n.t('Any text') : `"${withoutIcons(oneLine(text))}"`;
      show([{ label, description: count, alwaysShow: true, filter }, ...criteria]);
    },
  });
  arrangement.show(chosen?.filter ?? before);
}
