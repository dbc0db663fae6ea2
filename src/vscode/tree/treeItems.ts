import * as vscode from 'vscode';

import type { Session } from '../../sessions/index.js';
import type { RowIcon, SessionRow } from '../../sessions/rows.js';
import { tooltipMarkdown } from '../../sessions/tooltip.js';
import type { TreeGroup } from '../../sessions/treeModel.js';
import { CommandId } from '../commands/commandIds.js';
import type { SessionNode } from './nodes.js';

export function groupItem(group: TreeGroup): vscode.TreeItem {
  const item = new vscode.TreeItem(group.label, vscode.TreeItemCollapsibleState.Expanded);
  item.id = `group:${group.kind}`;
  item.description = String(group.count);
  item.contextValue = `;group;${group.kind};`;
  item.accessibilityInformation = { label: group.accessibilityLabel };
  return item;
}

/** A row without its tooltip, which {@link sessionTooltip} makes when the mouse rests on it. */
export function sessionItem(row: SessionRow, node: SessionNode): vscode.TreeItem {
  const item = new vscode.TreeItem(row.label, vscode.TreeItemCollapsibleState.None);
  item.id = row.id;
  item.description = row.description;
  item.iconPath = themeIcon(row);
  item.contextValue = row.contextValue;
  item.accessibilityInformation = { label: row.accessibilityLabel };
  item.command = {
    command: CommandId.openTerminal,
    title: vscode.l10n.t('Open Terminal'),
    // A look at it: the keys stay with the tree. The commands of menus and the palette bring the focus along.
    arguments: [node, undefined, { preserveFocus: true }],
  };
  return item;
}

export function themeIcon({ icon, color }: RowIcon): vscode.ThemeIcon {
  return color === undefined
    ? new vscode.ThemeIcon(icon)
    : new vscode.ThemeIcon(icon, new vscode.ThemeColor(color));
}

/** @param previous The session that this one repeats, if it is still there. */
export function sessionTooltip(session: Session, previous: Session | undefined): vscode.MarkdownString {
  const time = new Intl.DateTimeFormat(vscode.env.language, { dateStyle: 'medium', timeStyle: 'medium' });
  const text = tooltipMarkdown(session.snapshot(), {
    now: Date.now(),
    l10n: vscode.l10n,
    formatTime: (at) => time.format(at),
    previousLabel: previous?.label,
  });
  const tooltip = new vscode.MarkdownString(text);
  tooltip.isTrusted = false;
  tooltip.supportHtml = false;
  return tooltip;
}
