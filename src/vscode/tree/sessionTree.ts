import * as vscode from 'vscode';

import { DisposableStore, type Clock, type Disposable } from '../../core/index.js';
import type { Session, SessionList } from '../../sessions/index.js';
import {
  EMPTY_TREE,
  groupOf,
  treeChange,
  treeModel,
  type GroupKind,
  type TreeModel,
} from '../../sessions/treeModel.js';
import type { GroupNode, SessionNode, TreeNode } from './nodes.js';
import { groupItem, sessionItem, sessionTooltip } from './treeItems.js';

/** A flood of changes is drawn at most that often, in milliseconds. */
const COALESCE_MS = 100;
/** How long a tooltip that was looked at may be out of date, in milliseconds. */
const TOOLTIP_MS = 2_000;
/** How often times in the rows move on, in milliseconds. */
const TICK_MS = 60_000;

const GROUP_NODES: Readonly<Record<GroupKind, GroupNode>> = {
  running: { kind: 'group', group: 'running' },
  exited: { kind: 'group', group: 'exited' },
  closed: { kind: 'group', group: 'closed' },
};

/** The list of sessions as a tree. It draws again only what looks different. */
export class SessionTree implements vscode.TreeDataProvider<TreeNode>, Disposable {
  readonly #list: SessionList;
  readonly #clock: Clock;
  readonly #store = new DisposableStore();
  readonly #didChangeTreeData = new vscode.EventEmitter<TreeNode | undefined>();
  readonly #didUpdate = new vscode.EventEmitter<TreeModel>();
  readonly #nodes = new Map<string, SessionNode>();
  readonly #resolved = new Map<Session, DisposableStore>();
  #model: TreeModel = EMPTY_TREE;
  #pending: Disposable | undefined;
  #tick: Disposable | undefined;

  readonly onDidChangeTreeData = this.#didChangeTreeData.event;
  /** Fires after the tree has taken in what has changed. */
  readonly onDidUpdate = this.#didUpdate.event;

  constructor(list: SessionList, clock: Clock) {
    this.#list = list;
    this.#clock = clock;
    this.#store.add(this.#didChangeTreeData);
    this.#store.add(this.#didUpdate);
    this.#store.add(
      list.onDidChange(({ type, session }) => {
        if (type === 'removed') {
          this.#nodes.delete(session.id);
          this.#forgetTooltip(session);
        }
        this.#updateSoon();
      }),
    );
    this.#update();
  }

  get model(): TreeModel {
    return this.#model;
  }

  /** The node of a session, always the same one: VS Code knows elements by identity. */
  nodeOf(session: Session): SessionNode {
    let node = this.#nodes.get(session.id);
    if (node === undefined) {
      node = { kind: 'session', session };
      if (this.#list.get(session.id) === session) {
        this.#nodes.set(session.id, node);
      }
    }
    return node;
  }

  /** Lets the times in the rows move on, or rest while nobody sees them. */
  setVisible(visible: boolean): void {
    this.#tick?.dispose();
    this.#tick = undefined;
    if (visible) {
      this.#update();
      this.#tickOn();
    }
  }

  getChildren(node?: TreeNode): TreeNode[] {
    if (node === undefined) {
      return this.#model.groups.map(({ kind }) => GROUP_NODES[kind]);
    }
    const group = node.kind === 'group' ? this.#groupOf(node) : undefined;
    return (group?.rows ?? []).flatMap(({ id }) => {
      const session = this.#list.get(id);
      return session === undefined ? [] : [this.nodeOf(session)];
    });
  }

  getParent(node: TreeNode): TreeNode | undefined {
    return node.kind === 'group' ? undefined : GROUP_NODES[groupOf(node.session.state)];
  }

  getTreeItem(node: TreeNode): vscode.TreeItem {
    if (node.kind === 'group') {
      const group = this.#groupOf(node);
      return group === undefined ? new vscode.TreeItem('') : groupItem(group);
    }
    const row = this.#model.groups.flatMap(({ rows }) => rows).find(({ id }) => id === node.session.id);
    // One that has just left the list may still be asked for.
    return row === undefined ? new vscode.TreeItem(node.session.label) : sessionItem(row, node);
  }

  resolveTreeItem(item: vscode.TreeItem, node: TreeNode): vscode.TreeItem {
    if (node.kind === 'session') {
      const { previousId } = node.session;
      const previous = previousId === undefined ? undefined : this.#list.get(previousId);
      item.tooltip = sessionTooltip(node.session, previous);
      this.#renewTooltip(node);
    }
    return item;
  }

  dispose(): void {
    this.#pending?.dispose();
    this.#tick?.dispose();
    for (const session of this.#resolved.keys()) {
      this.#forgetTooltip(session);
    }
    this.#store.dispose();
  }

  #groupOf(node: GroupNode) {
    return this.#model.groups.find(({ kind }) => kind === node.group);
  }

  /**
   * VS Code keeps a tooltip until its row changes, and output changes no row. So the row is drawn again after the next
   * output, once for each time that somebody has looked.
   */
  #renewTooltip(node: SessionNode): void {
    const { session } = node;
    if (
      this.#resolved.has(session) ||
      session.state === 'starting' ||
      this.#list.get(session.id) !== session
    ) {
      return;
    }
    const watch = new DisposableStore();
    this.#resolved.set(session, watch);
    let due = false;
    watch.add(
      session.process.onWake(() => {
        if (!due) {
          due = true;
          watch.add(
            this.#clock.after(TOOLTIP_MS, () => {
              this.#forgetTooltip(session);
              this.#didChangeTreeData.fire(node);
            }),
          );
        }
      }),
    );
  }

  #forgetTooltip(session: Session): void {
    this.#resolved.get(session)?.dispose();
    this.#resolved.delete(session);
  }

  #tickOn(): void {
    this.#tick = this.#clock.after(TICK_MS, () => {
      this.#update();
      this.#tickOn();
    });
  }

  #updateSoon(): void {
    this.#pending ??= this.#clock.after(COALESCE_MS, () => {
      this.#pending = undefined;
      this.#update();
    });
  }

  #update(): void {
    const before = this.#model;
    const sessions = this.#list.sessions.map((session) => session.snapshot());
    this.#model = treeModel(sessions, this.#clock.now(), vscode.l10n);
    const change = treeChange(before, this.#model);
    if (change.all) {
      this.#didChangeTreeData.fire(undefined);
    } else {
      for (const kind of change.groups) {
        this.#didChangeTreeData.fire(GROUP_NODES[kind]);
      }
      for (const id of change.rows) {
        const session = this.#list.get(id);
        if (session !== undefined) {
          this.#didChangeTreeData.fire(this.nodeOf(session));
        }
      }
    }
    this.#didUpdate.fire(this.#model);
  }
}
