import * as vscode from 'vscode';

import { type Disposable, DisposableStore } from '../../core/index.js';
import type { Session } from '../../sessions/list/index.js';
import { isSessionNode, type TreeNode } from './nodes.js';
import type { SessionTree } from './sessionTree.js';

/** Shows in the view what the tree knows: the number of running sessions on its icon. */
export class SessionsView implements Disposable {
  readonly #store = new DisposableStore();
  readonly #tree: SessionTree;
  readonly #view: vscode.TreeView<TreeNode>;

  /** @param view The view of the tree, which outlives this object. */
  constructor(tree: SessionTree, view: vscode.TreeView<TreeNode>) {
    this.#tree = tree;
    this.#view = view;
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
