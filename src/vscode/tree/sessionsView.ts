import * as vscode from 'vscode';

import { type Disposable, DisposableStore } from '../../core/index.js';
import type { Session } from '../../sessions/list/index.js';
import { isSessionNode, type TreeNode } from './nodes.js';
import type { SessionTree } from './sessionTree.js';

export const SESSIONS_VIEW = 'execSessions.sessions';

/** The view that shows the tree, with the number of running sessions on its icon. */
export class SessionsView implements Disposable {
  readonly #store = new DisposableStore();
  readonly #tree: SessionTree;
  readonly #view: vscode.TreeView<TreeNode>;

  constructor(tree: SessionTree) {
    this.#tree = tree;
    this.#view = this.#store.add(
      vscode.window.createTreeView(SESSIONS_VIEW, { treeDataProvider: tree, canSelectMany: true }),
    );
    this.#clearBadge();
    this.#store.add(tree.onDidUpdate(() => this.#showBadge()));
    this.#store.add(this.#view.onDidChangeVisibility(({ visible }) => tree.setVisible(visible)));
    tree.setVisible(this.#view.visible);
  }

  get badge(): vscode.ViewBadge | undefined {
    return this.#view.badge;
  }

  /** The sessions whose rows are selected. */
  get selection(): readonly Session[] {
    return this.#view.selection.filter(isSessionNode).map(({ session }) => session);
  }

  /** Selects a session's row, if the view can be seen. */
  async reveal(session: Session): Promise<void> {
    if (this.#view.visible) {
      await this.#view.reveal(this.#tree.nodeOf(session), { select: true, focus: false });
    }
  }

  dispose(): void {
    this.#store.dispose();
  }

  /**
   * Removes the badge of an earlier extension host, which the icon keeps: it may still show the number of that host's
   * sessions.
   */
  #clearBadge(): void {
    // VS Code ignores the removal of a badge that this view has not set, so one is set first.
    this.#view.badge = { value: 0, tooltip: '' };
    this.#view.badge = undefined;
  }

  #showBadge(): void {
    const { running } = this.#tree.model;
    if ((this.#view.badge?.value ?? 0) === running) {
      return;
    }
    this.#view.badge =
      running === 0
        ? undefined
        : {
            value: running,
            tooltip:
              running === 1
                ? vscode.l10n.t('One session is running')
                : vscode.l10n.t('{0} sessions are running', running),
          };
  }
}
