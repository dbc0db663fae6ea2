import * as vscode from 'vscode';

import { Alarm, type Clock, type Disposable, Emitter, type EndedReceipt } from '../../core/index.js';
import { isFiltering, NO_FILTER, passes, type TreeFilter } from '../../sessions/tree/index.js';
import { receiptRow, receiptSnapshot, receiptText } from '../../sessions/words/index.js';
import type { EarlierNode, ReceiptNode } from './nodes.js';
import { themeIcon } from './treeItems.js';

/** The most rows that are shown, the newest ones. No person looks through thousands in a tree. */
const MOST_ROWS = 200;
/** The time for which reasons to read the receipts are collected, in milliseconds. */
const COALESCE_MS = 1_000;

interface EarlierOptions {
  /** Reads the receipts, the newest end first; empty if the user wants no receipts. */
  readonly read: () => Promise<readonly EndedReceipt[]>;
  /** The ids of the receipts, and other ids, whose sessions have output on disk. */
  readonly withOutput: () => Promise<ReadonlySet<string>>;
  /** Whether a session is in the list, by its id. */
  readonly isListed: (sessionId: string) => boolean;
  readonly clock: Clock;
  readonly log: (line: string) => void;
}

/**
 * The group of earlier sessions, which have a receipt and are no longer in a list. The receipts are read when the view
 * can show them, and again when the list has changed meanwhile.
 */
export class EarlierRows implements Disposable {
  readonly #options: EarlierOptions;
  readonly #didChange = new Emitter<void>();
  readonly #later: Alarm;
  readonly #nodes = new Map<string, ReceiptNode>();
  #receipts: readonly EndedReceipt[] = [];
  #filter = NO_FILTER;
  /** The receipts that pass the filter. */
  #passing: readonly EndedReceipt[] = [];
  #withOutput: ReadonlySet<string> = new Set();
  #shown = '';
  #visible = false;
  #looks = 0;
  /** The number of the look that the rows are from. */
  #newest = 0;
  #disposed = false;

  readonly node: EarlierNode = { kind: 'earlier' };
  /** Fires when the group appears, disappears, or has other rows. */
  readonly onDidChange = this.#didChange.event;

  constructor(options: EarlierOptions) {
    this.#options = options;
    this.#later = new Alarm(options.clock);
  }

  get count(): number {
    return this.#passing.length;
  }

  /** Shows only earlier sessions that pass the filter. The caller draws them. */
  setFilter(filter: TreeFilter): void {
    this.#filter = filter;
    this.#passing = this.#receipts.filter((receipt) => passes(receiptSnapshot(receipt), filter));
  }

  /** Whether a view shows them. Without a view nothing is read. */
  setVisible(visible: boolean): void {
    this.#visible = visible;
    this.look();
  }

  /** Reads the receipts a moment later, if there is a view to show them. */
  look(): void {
    if (this.#visible) {
      this.#later.setUnlessSet(COALESCE_MS, () => this.lookNow());
    } else {
      this.#later.dispose();
    }
  }

  async lookNow(): Promise<void> {
    const { read, withOutput, isListed, log } = this.#options;
    const look = (this.#looks += 1);
    const receipts = await read().catch((error: unknown) => {
      log(`The receipts cannot be read: ${String(error)}`);
      return [];
    });
    const onDisk = receipts.length === 0 ? new Set<string>() : await withOutput();
    // The result of a later look is newer, even if an earlier look returns after it.
    if (this.#disposed || look < this.#newest) {
      return;
    }
    this.#newest = look;
    const unlisted = receipts.filter(({ sessionId }) => !isListed(sessionId));
    const rows = unlisted.slice(0, MOST_ROWS);
    // The rows also show the leftover processes and who ended the session. These facts may become known after the end.
    const shown = JSON.stringify([unlisted.length, rows.map((receipt) => [receipt, onDisk.has(receipt.id)])]);
    if (shown !== this.#shown) {
      this.#shown = shown;
      this.#receipts = unlisted;
      this.setFilter(this.#filter);
      this.#withOutput = onDisk;
      this.#nodes.clear();
      this.#didChange.fire();
    }
  }

  children(): ReceiptNode[] {
    return this.#passing.slice(0, MOST_ROWS).map((receipt) => {
      // The same object each time, since VS Code compares elements by identity.
      const node = this.#nodes.get(receipt.id) ?? { kind: 'receipt', receipt };
      this.#nodes.set(receipt.id, node);
      return node;
    });
  }

  /** Whether the group is collapsed until somebody expands it. */
  get isCollapsed(): boolean {
    return !isFiltering(this.#filter);
  }

  groupItem(): vscode.TreeItem {
    const label = vscode.l10n.t('Ended Earlier');
    const { Collapsed, Expanded } = vscode.TreeItemCollapsibleState;
    const item = new vscode.TreeItem(label, this.isCollapsed ? Collapsed : Expanded);
    // Under the same id, VS Code would keep a group collapsed that a filter expands.
    item.id = this.isCollapsed ? 'earlier' : 'earlier:expanded';
    item.description =
      this.count > MOST_ROWS
        ? vscode.l10n.t('the newest {0} of {1}', MOST_ROWS, this.count)
        : String(this.count);
    item.iconPath = new vscode.ThemeIcon('history');
    item.contextValue = ';earlier;';
    item.accessibilityInformation = {
      label:
        this.count === 1
          ? vscode.l10n.t('{0}, one session', label)
          : vscode.l10n.t('{0}, {1} sessions', label, this.count),
    };
    return item;
  }

  item({ receipt }: ReceiptNode): vscode.TreeItem {
    const isOutputOnDisk = this.#withOutput.has(receipt.id);
    const row = receiptRow(receipt, this.#options.clock.wallTime(), vscode.l10n, shortTime, isOutputOnDisk);
    const item = new vscode.TreeItem(row.label, vscode.TreeItemCollapsibleState.None);
    item.id = row.id;
    item.description = row.description;
    item.iconPath = themeIcon(row);
    item.contextValue = row.contextValue;
    item.accessibilityInformation = { label: row.accessibilityLabel };
    item.tooltip = receiptText(receipt, vscode.l10n, longTime);
    return item;
  }

  dispose(): void {
    this.#disposed = true;
    this.#later.dispose();
    this.#didChange.dispose();
  }
}

/** The time of a day, with the day if that is not today. */
export function shortTime(time: number): string {
  const today = new Date().toDateString() === new Date(time).toDateString();
  return new Intl.DateTimeFormat(vscode.env.language, {
    timeStyle: 'short',
    ...(!today && { dateStyle: 'short' }),
  }).format(time);
}

export function longTime(time: number): string {
  return new Intl.DateTimeFormat(vscode.env.language, { dateStyle: 'medium', timeStyle: 'medium' }).format(
    time,
  );
}
