import * as vscode from 'vscode';

import type { Clock, Disposable } from '../../core/index.js';
import { LOCAL_ID, type Session } from '../../sessions/list/index.js';
import { UsageWatch } from '../../sessions/tree/index.js';
import { type UsageRow, usageRows } from '../../sessions/words/index.js';
import type { TreeNode, UsageNode } from './nodes.js';
import { usageItem } from './treeItems.js';

/** The rows below sessions that are expanded. A row that looks different is drawn again. */
export class UsageNodes implements Disposable {
  readonly #watch: UsageWatch;
  readonly #draw: (node: TreeNode) => void;
  readonly #nodeOf: (session: Session) => TreeNode;
  /** The nodes of sessions by the keys of their rows: always the same, since VS Code compares elements by identity. */
  readonly #nodes = new Map<Session, Map<string, UsageNode>>();
  /** The rows that VS Code has. */
  readonly #drawn = new Map<Session, readonly UsageRow[]>();

  constructor(
    clock: Clock,
    options: { draw: (node: TreeNode) => void; nodeOf: (session: Session) => TreeNode },
  ) {
    this.#watch = new UsageWatch(clock, (session) => this.#update(session));
    this.#draw = options.draw;
    this.#nodeOf = options.nodeOf;
  }

  /** The rows below a session. The session is read from now on, since VS Code asks only for rows that it shows. */
  children(session: Session): UsageNode[] {
    this.#watch.watch(session);
    const rows = this.#rowsOf(session);
    this.#drawn.set(session, rows);
    const nodes = this.#nodes.get(session) ?? new Map<string, UsageNode>();
    this.#nodes.set(session, nodes);
    return rows.map(({ key }) => {
      const node = nodes.get(key) ?? { kind: 'usage', session, key };
      nodes.set(key, node);
      return node;
    });
  }

  item({ session, key }: UsageNode): vscode.TreeItem {
    const row = this.#drawn.get(session)?.find((one) => one.key === key);
    return row === undefined ? new vscode.TreeItem('') : usageItem(session.id, row);
  }

  /** Where a browser finds the port of a row; undefined for other rows. */
  addressOf({ session, key }: UsageNode): string | undefined {
    return this.#drawn.get(session)?.find((row) => row.key === key)?.address;
  }

  /** The session was expanded. VS Code keeps its earlier rows and does not ask for them again. */
  expanded(session: Session): void {
    this.#watch.watch(session);
  }

  collapsed(session: Session): void {
    this.#watch.forget(session);
  }

  forget(session: Session): void {
    this.#watch.forget(session);
    this.#nodes.delete(session);
    this.#drawn.delete(session);
  }

  setVisible(visible: boolean): void {
    this.#watch.setVisible(visible);
  }

  dispose(): void {
    this.#watch.dispose();
  }

  #rowsOf(session: Session): readonly UsageRow[] {
    const isHere = session.environment.id === LOCAL_ID;
    return usageRows(this.#watch.reading(session), isHere, vscode.l10n);
  }

  #update(session: Session): void {
    const before = this.#drawn.get(session) ?? [];
    const rows = this.#rowsOf(session);
    if (before.length !== rows.length || before.some(({ key }, place) => rows[place]?.key !== key)) {
      this.#draw(this.#nodeOf(session));
      return;
    }
    this.#drawn.set(session, rows);
    for (const [place, row] of rows.entries()) {
      const node = this.#nodes.get(session)?.get(row.key);
      const old = before[place];
      if (node !== undefined && (old?.label !== row.label || old.description !== row.description)) {
        this.#draw(node);
      }
    }
  }
}
