import * as vscode from 'vscode';

import type { TreeNode } from '../vscode/tree/nodes.js';
import { SESSIONS_VIEW } from '../vscode/tree/viewId.js';
import type { Rest } from './rest.js';

/** Makes the view of the sessions. The rest is loaded when VS Code asks for its rows: when it is first seen. */
export function createView(rest: Rest): vscode.TreeView<TreeNode> {
  const changed = new vscode.EventEmitter<TreeNode[] | undefined>();
  rest.onDidLoad(({ rowChanges }) => rowChanges((rows) => changed.fire(rows)));
  const rows: Required<vscode.TreeDataProvider<TreeNode>> = {
    onDidChangeTreeData: changed.event,
    getChildren: (node) => rest.load().tree.getChildren(node),
    getTreeItem: (node) => rest.load().tree.getTreeItem(node),
    getParent: (node) => rest.load().tree.getParent(node),
    resolveTreeItem: (item, node) => rest.load().tree.resolveTreeItem(item, node),
  };
  const dragAndDropController: vscode.TreeDragAndDropController<TreeNode> = {
    dragMimeTypes: [],
    dropMimeTypes: ['text/uri-list', 'text/plain'],
    handleDrop: (target, dropped) => rest.load().startDropped(target, dropped),
  };
  const view = vscode.window.createTreeView(SESSIONS_VIEW, {
    treeDataProvider: rows,
    canSelectMany: true,
    dragAndDropController,
  });
  clearBadge(view);
  return view;
}

/**
 * Removes the badge of an earlier extension host, which stays on the icon. It may still show the number of that host's
 * sessions.
 */
function clearBadge(view: vscode.TreeView<TreeNode>): void {
  // VS Code ignores the removal of a badge that this view has not set, so one is set first.
  view.badge = { value: 0, tooltip: '' };
  view.badge = undefined;
}
