import * as vscode from 'vscode';

import type { Session } from '../../sessions/list/index.js';
import {
  type RowIcon,
  type SessionRow,
  escapeMarkdown,
  tooltipMarkdown,
  type UsageRow,
} from '../../sessions/words/index.js';
import type { TreeEngine, TreeEnvironment, TreeGroup, TreeIndex } from '../../sessions/tree/index.js';
import { CommandId } from '../commands/commandIds.js';
import type { EngineNode, EnvironmentNode, GroupNode, NoteNode } from './nodes.js';

/** The item of a row that is no session. VS Code may still ask for one that has just been removed. */
export function itemIn(
  index: TreeIndex,
  node: EnvironmentNode | EngineNode | GroupNode | NoteNode,
): vscode.TreeItem {
  switch (node.kind) {
    case 'environment': {
      const environment = index.environment(node.id);
      return environment === undefined ? new vscode.TreeItem('') : environmentItem(environment);
    }
    case 'engine': {
      const engine = index.engine(node.id);
      return engine === undefined ? new vscode.TreeItem('') : engineItem(engine);
    }
    case 'group': {
      const group = index.group(node.key);
      return group === undefined ? new vscode.TreeItem('') : groupItem(group);
    }
    case 'note': {
      const row = index.row(node.id);
      return row === undefined ? new vscode.TreeItem('') : noteItem(row);
    }
  }
}

function groupItem(group: TreeGroup): vscode.TreeItem {
  const { Collapsed, Expanded } = vscode.TreeItemCollapsibleState;
  const item = new vscode.TreeItem(group.label, group.collapsed ? Collapsed : Expanded);
  // Under the same id, VS Code would keep a group collapsed that a filter expands.
  item.id = `group:${group.key}:${group.collapsed ? 'collapsed' : 'expanded'}`;
  item.description = group.description;
  if (group.icon !== undefined) {
    item.iconPath = new vscode.ThemeIcon(group.icon);
  }
  // The menus of a group act on all sessions of its kind; a group inside an environment has only some of them.
  item.contextValue =
    group.key === group.kind
      ? `;group;${group.kind};`
      : `;${[group.kind === 'batch' ? group.kind : 'innerGroup', ...(group.flags ?? [])].join(';')};`;
  item.accessibilityInformation = { label: group.accessibilityLabel };
  return item;
}

function environmentItem({ row, groups }: TreeEnvironment): vscode.TreeItem {
  const { None, Expanded } = vscode.TreeItemCollapsibleState;
  const item = placeItem(row, groups.length === 0 ? None : Expanded);
  // Under the same id, VS Code would keep an environment collapsed when it gets its first groups.
  item.id = `environment:${row.id}:${groups.length === 0 ? 'empty' : 'filled'}`;
  return item;
}

/** Collapsed until somebody expands it, since only then its members are read. */
function engineItem({ row }: TreeEngine): vscode.TreeItem {
  const item = placeItem(row, vscode.TreeItemCollapsibleState.Collapsed);
  item.id = `engine:${row.id}`;
  return item;
}

/** A row that only tells something. */
function noteItem(row: SessionRow): vscode.TreeItem {
  const item = placeItem(
    { ...row, tooltip: escapeMarkdown(row.accessibilityLabel) },
    vscode.TreeItemCollapsibleState.None,
  );
  item.id = row.id;
  return item;
}

/** @param row Its tooltip is Markdown; undefined for none. */
export function placeItem(
  row: SessionRow & { readonly tooltip: string | undefined },
  collapsible: vscode.TreeItemCollapsibleState,
): vscode.TreeItem {
  const item = new vscode.TreeItem(row.label, collapsible);
  item.description = row.description;
  item.iconPath = themeIcon(row);
  item.contextValue = row.contextValue;
  item.accessibilityInformation = { label: row.accessibilityLabel };
  item.tooltip = row.tooltip === undefined ? '' : plainMarkdown(row.tooltip);
  return item;
}

/**
 * A row without its tooltip, which {@link sessionTooltip} makes when the mouse rests on it.
 *
 * @param expandable Whether there may be rows below it to see.
 */
export function sessionItem(row: SessionRow, expandable: boolean): vscode.TreeItem {
  const { Collapsed, None } = vscode.TreeItemCollapsibleState;
  const item = new vscode.TreeItem(row.label, expandable ? Collapsed : None);
  item.id = row.id;
  item.description = row.description;
  item.iconPath = themeIcon(row);
  item.contextValue = row.contextValue;
  item.accessibilityInformation = { label: row.accessibilityLabel };
  item.command = showSelected();
  return item;
}

/** Without arguments, since VS Code forgets them when it draws the row anew. The click has selected the row by then. */
export function showSelected(): vscode.Command {
  return { command: CommandId.showSelected, title: vscode.l10n.t('Show Selected Session') };
}

/** A row below a session. */
export function usageItem(sessionId: string, row: UsageRow): vscode.TreeItem {
  const item = new vscode.TreeItem(row.label);
  item.id = `usage:${sessionId}:${row.key}`;
  item.description = row.description;
  item.iconPath = themeIcon(row);
  item.contextValue = row.contextValue;
  item.accessibilityInformation = { label: row.accessibilityLabel };
  item.tooltip = plainMarkdown(escapeMarkdown(row.accessibilityLabel));
  return item;
}

export function themeIcon({ icon, color }: RowIcon): vscode.ThemeIcon {
  return color === undefined
    ? new vscode.ThemeIcon(icon)
    : new vscode.ThemeIcon(icon, new vscode.ThemeColor(color));
}

/**
 * @param previous The session that this one repeats, if it is still in the list.
 * @param keepHours For how many hours sessions keep running without a window.
 */
export function sessionTooltip(
  session: Session,
  previous: Session | undefined,
  keepHours: number,
): vscode.MarkdownString {
  const time = new Intl.DateTimeFormat(vscode.env.language, { dateStyle: 'medium', timeStyle: 'medium' });
  const text = tooltipMarkdown(session.snapshot(), {
    now: Date.now(),
    l10n: vscode.l10n,
    // A server can report a time that no calendar has.
    formatTime: (at) => (Number.isNaN(new Date(at).getTime()) ? String(at) : time.format(at)),
    previousLabel: previous?.label,
    keepHours,
  });
  return plainMarkdown(text);
}

/** Markdown that runs nothing. */
function plainMarkdown(text: string): vscode.MarkdownString {
  const markdown = new vscode.MarkdownString(text);
  markdown.isTrusted = false;
  markdown.supportHtml = false;
  return markdown;
}
