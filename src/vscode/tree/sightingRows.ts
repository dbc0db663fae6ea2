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
  /** Looks at the processes of this machine; empty where they cannot be found. */
  readonly look: () => Promise<readonly Sighting[]>;
  readonly shellCommands: Pick<ShellCommands, 'commands' | 'follow'>;
  /** Whether the user wants the group. Asked each time. */
  readonly isOn: () => boolean;
  readonly clock: Clock;
  readonly log: (line: string) => void;
}

/** The group of processes that are no sessions. They are looked at while a view can show them. */
export class SightingRows implements Disposable {
  readonly #options: SightingOptions;
  readonly #didChange = new Emitter<SightingNode | undefined>();
  readonly #next: Alarm;
  readonly #nodes = new Map<string, SightingNode>();
  #rows: ReadonlyMap<string, SightingRow> = new Map();
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
    const ids = node === undefined ? [OTHERS] : (this.rowOf(node)?.below ?? []);
    return ids.flatMap((id) => this.#node(id) ?? []);
  }

  parent(node: SightingNode): SightingNode | undefined {
    return this.#node(this.rowOf(node)?.parent ?? '');
  }

  /** The newest facts of a row; undefined once it has gone. */
  rowOf(node: SightingNode | undefined): SightingRow | undefined {
    return this.#rows.get(node?.id ?? '');
  }

  item(node: SightingNode): vscode.TreeItem {
    const row = this.rowOf(node);
    if (row === undefined) {
      return new vscode.TreeItem('');
    }
    const { None, Collapsed, Expanded } = vscode.TreeItemCollapsibleState;
    const { sighting, below, parent, accessibilityLabel } = row;
    const opened = sighting === undefined && parent !== '' ? Collapsed : Expanded;
    const tooltip =
      sighting === undefined
        ? escapeMarkdown(accessibilityLabel)
        : sightingMarkdown(sighting, vscode.l10n, longTime);
    const item = placeItem({ ...row, tooltip }, below.length === 0 ? None : opened);
    // Under the same id, VS Code would keep an agent collapsed when it gets its first command.
    item.id = `sighting:${node.id}:${below.length === 0 ? 'empty' : 'filled'}`;
    if (!node.holds) {
      item.command = showSelected();
    }
    return item;
  }

  dispose(): void {
    this.setVisible(false);
    this.#didChange.dispose();
  }

  async #look(): Promise<void> {
    const { look, shellCommands, isOn, clock, log } = this.#options;
    const on = isOn();
    shellCommands.follow(on);
    const found = !on
      ? []
      : await look().catch((error: unknown) => {
          log(`Other processes cannot be listed: ${String(error)}`);
          return [];
        });
    if (this.#visible) {
      this.#show(sightingTree(found, shellCommands.commands, clock.wallTime(), vscode.l10n));
      this.#next.set(LOOK_MS, () => this.#look());
    }
  }

  #show(rows: ReadonlyMap<string, SightingRow>): void {
    const before = this.#rows;
    this.#rows = rows;
    if ((before.size === 0) !== (rows.size === 0)) {
      this.#didChange.fire(undefined);
    }
    for (const [id, old] of before) {
      const [row, node] = [rows.get(id), this.#nodes.get(id)];
      if (row === undefined) {
        this.#nodes.delete(id);
      } else if (node !== undefined && looksOf(old) !== looksOf(row)) {
        this.#didChange.fire(node);
      }
    }
  }

  /** Always the same for a row, since VS Code compares elements by identity. */
  #node(id: string): SightingNode | undefined {
    const row = this.#rows.get(id);
    if (row !== undefined && !this.#nodes.has(id)) {
      const holds = row.sighting === undefined || row.sighting.kind === 'agent';
      this.#nodes.set(id, { kind: 'sighting', id, holds });
    }
    return this.#nodes.get(id);
  }
}

/** A text that is the same for rows that look the same. */
function looksOf(row: SightingRow): string {
  return JSON.stringify({ ...row, sighting: undefined });
}
