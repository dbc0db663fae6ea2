import * as vscode from 'vscode';

import { type Disposable, DisposableStore } from '../../core/index.js';
import type { Session } from '../../sessions/list/index.js';
import { attention, attentionText } from '../../sessions/words/index.js';
import { isSessionNode, type TreeNode } from './nodes.js';
import type { SessionTree } from './sessionTree.js';

/** Shows in the view what the tree knows: the number of sessions that wait or run on its icon. */
export class SessionsView implements Disposable {
  readonly #store = new DisposableStore();
  readonly #sessions: () => readonly Session[];
  readonly #tree: SessionTree;
  readonly #view: vscode.TreeView<TreeNode>;

  /**
   * @param view The view of the tree, which outlives this object.
   * @param sessions Returns all sessions.
   */
  constructor(tree: SessionTree, view: vscode.TreeView<TreeNode>, sessions: () => readonly Session[]) {
    this.#sessions = sessions;
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

  /** Shows how many sessions wait for a person; while none does, how many run. */
  #showBadge(): void {
    const found = attention(this.#sessions().map((session) => session.snapshot()));
    const tooltip = attentionText(found, vscode.l10n);
    if ((this.#view.badge?.tooltip ?? '') !== tooltip) {
      const value = found.waiting.length > 0 ? found.waiting.length : found.running.length;
      this.#view.badge = value === 0 ? undefined : { value, tooltip };
    }
  }
}
