import * as vscode from 'vscode';

import { Alarm, type Clock, type Disposable, Emitter, type Sighting } from '../../core/index.js';
import { escapeMarkdown, sightingMarkdown } from '../../sessions/words/index.js';
import type { ShellCommands } from '../terminals/shellCommands.js';
import { longTime } from './earlierRows.js';
import type { SightingNode } from './nodes.js';
import { OTHERS, type SightingRow, sightingTree } from './sightingTree.js';
import { placeItem, showSelected } from './treeItems.js';

/** The time between two looks, in milliseconds. */
const LOOK_MS = 2_000;

interface SightingOptions {
  /** Looks at the processes of this machine. Never rejects. */
  readonly look: () => Promise<readonly Sighting[]>;
  readonly shellCommands: Pick<ShellCommands, 'commands' | 'follow'>;
  /** Whether the user wants the group. Asked each time. */
  readonly isOn: () => boolean;
  readonly clock: Clock;
}

/** The group of processes that are no sessions. They are looked at while a view can show them. */
export class SightingRows implements Disposable {
  readonly #options: SightingOptions;
  readonly #didChange = new Emitter<SightingNode | undefined>();
  readonly #next: Alarm;
  /** The rows by their ids: always the same objects, since VS Code compares elements by identity. */
  readonly #nodes = new Map<string, SightingNode>();
  #visible = false;

  /** Fires with each row that looks different, and undefined if the group appears or disappears. */
  readonly onDidChange = this.#didChange.event;

  constructor(options: SightingOptions) {
    this.#options = options;
    this.#next = new Alarm(options.clock);
  }

  setVisible(visible: boolean): void {
    this.#visible = visible;
    this.#next.dispose();
    if (visible) {
      void this.#look();
    }
  }

  /** The rows below a row; without one, the group if it has rows. */
  children(node?: SightingNode): SightingNode[] {
    return (node?.row.below ?? [OTHERS]).flatMap((id) => this.#nodes.get(id) ?? []);
  }

  parent({ row }: SightingNode): SightingNode | undefined {
    return this.#nodes.get(row.parent);
  }

  dispose(): void {
    this.setVisible(false);
    this.#didChange.dispose();
  }

  async #look(): Promise<void> {
    const { look, shellCommands, isOn, clock } = this.#options;
    const on = isOn();
    shellCommands.follow(on);
    const found = on ? await look() : [];
    if (this.#visible) {
      this.#show(sightingTree(found, shellCommands.commands, clock.wallTime(), vscode.l10n));
      this.#next.set(LOOK_MS, () => this.#look());
    }
  }

  #show(rows: ReadonlyMap<string, SightingRow>): void {
    const nodes = [...this.#nodes];
    rows.forEach((row, id) => this.#nodes.set(id, this.#nodes.get(id) ?? { kind: 'sighting', row }));
    if ((nodes.length === 0) !== (rows.size === 0)) {
      this.#didChange.fire(undefined);
    }
    for (const [id, node] of nodes) {
      const row = rows.get(id);
      if (row === undefined) {
        this.#nodes.delete(id);
      } else {
        const looksDifferent = looksOf(row) !== looksOf(node.row);
        node.row = row;
        if (looksDifferent) {
          this.#didChange.fire(node);
        }
      }
    }
  }
}

export function sightingItem(row: SightingRow): vscode.TreeItem {
  const { id, sighting, below, parent, accessibilityLabel } = row;
  const { None, Collapsed, Expanded } = vscode.TreeItemCollapsibleState;
  const opened = sighting === undefined && parent !== '' ? Collapsed : Expanded;
  const tooltip = sighting
    ? sightingMarkdown(sighting, vscode.l10n, longTime)
    : escapeMarkdown(accessibilityLabel);
  const item = placeItem({ ...row, tooltip }, below.length === 0 ? None : opened);
  // Under the same id, VS Code would keep an agent collapsed when it gets its first command.
  item.id = `sighting:${id}:${below.length === 0 ? 'empty' : 'filled'}`;
  if (!isHolder(row)) {
    item.command = showSelected();
  }
  return item;
}

/** Whether a row is there for those below it, so that a click expands or collapses it. */
export function isHolder({ sighting }: SightingRow): boolean {
  return sighting === undefined || sighting.kind === 'agent';
}

/** A text that is the same for rows that look the same. */
function looksOf(row: SightingRow): string {
  return JSON.stringify({ ...row, sighting: undefined });
}
