import * as vscode from 'vscode';

import { Alarm, type Clock, type Disposable, DisposableStore, never } from '../../core/index.js';
import { engineIdOf } from '../../sessions/environments/index.js';
import {
  type Session,
  type SessionList,
  type SessionSnapshot,
  type WindowFolders,
  WindowMarks,
} from '../../sessions/list/index.js';
import type { SessionRow } from '../../sessions/words/index.js';
import { settingDefinitions } from '../../sessions/options/index.js';
import {
  type ArrangementChoice,
  EMPTY_TREE,
  hasUsage,
  isFiltering,
  PlaceBook,
  PortWatch,
  RowMoves,
  SessionRows,
  treeChange,
  TreeIndex,
  treeModel,
  type TreeModel,
} from '../../sessions/tree/index.js';
import type { EarlierRows } from './earlierRows.js';
import { NodeBook } from './nodeBook.js';
import type { EngineNode, GroupNode, SessionNode, TreeNode, UsageNode } from './nodes.js';
import { sightingItem } from './sightingRows.js';
import { TooltipRenewal } from './tooltipRenewal.js';
import type { Places, TreeParts } from './treeParts.js';
import { itemIn, sessionItem, sessionTooltip } from './treeItems.js';
import { UsageNodes } from './usageNodes.js';

/** The time for which changes are collected before they are drawn, in milliseconds. */
const COALESCE_MS = 100;
/** How often the times in the rows are updated, in milliseconds: usually, and while something counts down. */
const TICK_MS = 60_000;
const COUNTDOWN_MS = 1_000;

/** The list of sessions as a tree. Only rows that look different are drawn again. */
export class SessionTree implements vscode.TreeDataProvider<TreeNode>, Disposable {
  readonly #list: SessionList;
  readonly #environments: Places;
  readonly #clock: Clock;
  readonly #choice: ArrangementChoice;
  readonly #folders: WindowFolders;
  readonly #marks: WindowMarks;
  readonly #earlier: EarlierRows | undefined;
  readonly #keepHours: () => number;
  readonly #parts: TreeParts;
  readonly #store = new DisposableStore();
  readonly #didChangeTreeData = new vscode.EventEmitter<TreeNode | undefined>();
  readonly #didUpdate = new vscode.EventEmitter<TreeModel>();
  readonly #nodes: NodeBook;
  readonly #tooltips: TooltipRenewal;
  readonly #usage: UsageNodes;
  readonly #ports: PortWatch;
  readonly #redraw: Alarm;
  readonly #tick: Alarm;
  readonly #moving: Alarm;
  readonly #places = new PlaceBook();
  readonly #moves = new RowMoves();
  /** The snapshots of the sessions that have not changed since, by their ids. */
  readonly #snapshots = new Map<string, SessionSnapshot>();
  #rows = new SessionRows();
  #model: TreeModel = EMPTY_TREE;
  #index = new TreeIndex(EMPTY_TREE);
  #visible = false;

  readonly onDidChangeTreeData = this.#didChangeTreeData.event;
  /** Fires after the model has been updated. */
  readonly onDidUpdate = this.#didUpdate.event;

  constructor(
    list: SessionList,
    environments: Places,
    clock: Clock,
    choice: ArrangementChoice,
    folders: WindowFolders,
    earlier?: EarlierRows,
    keepHours: () => number = () => settingDefinitions.keepWithoutClientHours.fallback,
    parts: TreeParts = {},
  ) {
    this.#list = list;
    this.#nodes = new NodeBook(list);
    this.#parts = parts;
    this.#earlier = earlier;
    this.#keepHours = keepHours;
    this.#choice = choice;
    this.#folders = folders;
    this.#marks = new WindowMarks(folders);
    this.#environments = environments;
    this.#clock = clock;
    this.#redraw = this.#store.add(new Alarm(clock));
    this.#tick = this.#store.add(new Alarm(clock));
    this.#moving = this.#store.add(new Alarm(clock));
    this.#tooltips = this.#store.add(
      new TooltipRenewal(clock, (session) => this.#didChangeTreeData.fire(this.nodeOf(session))),
    );
    this.#usage = this.#store.add(
      new UsageNodes(clock, {
        draw: (node) => this.#didChangeTreeData.fire(node),
        nodeOf: (session) => this.nodeOf(session),
      }),
    );
    this.#ports = this.#store.add(new PortWatch(clock, list));
    this.#store.add(this.#didChangeTreeData);
    this.#store.add(this.#didUpdate);
    this.#store.add(
      list.onDidChange(({ type, session }) => {
        this.#snapshots.delete(session.id);
        if (type === 'removed' || type === 'added') {
          earlier?.look();
        }
        if (type === 'removed') {
          this.#nodes.forget(session);
          this.#tooltips.forget(session);
          this.#usage.forget(session);
        }
        this.#updateSoon();
      }),
    );
    for (const { onDidChange = never } of [environments, parts.members ?? {}, parts.batches ?? {}]) {
      this.#store.add(onDidChange(() => this.#updateSoon()));
    }
    if (earlier !== undefined) {
      this.#store.add(
        earlier.onDidChange(() => {
          this.#didChangeTreeData.fire(undefined);
          this.#didUpdate.fire(this.#model);
        }),
      );
    }
    this.#store.add((parts.sightings?.onDidChange ?? never)((node) => this.#didChangeTreeData.fire(node)));
    this.#store.add(
      choice.onDidChange(({ filter }) => {
        earlier?.setFilter(filter);
        this.#update();
      }),
    );
    this.#store.add(folders.onDidChange(() => this.#makeAnew()));
    this.#update();
  }

  /** The time for which the row of a session has been at its place, in milliseconds. */
  stillFor(session: Session): number {
    return this.#moves.stillFor(session.id, this.#model, this.#clock.now());
  }

  /** The next session that repeats this one takes its place. */
  expectRepeat(session: Session): void {
    this.#places.expectRepeat(session.id);
  }

  /** The expected repeat of this session does not come. */
  forgetRepeat(session: Session): void {
    this.#places.forgetRepeat(session.id);
  }

  get model(): TreeModel {
    return this.#model;
  }

  /** The number of sessions that the filter lets through, earlier ones included. */
  get shown(): number {
    const { groups, environments, engines } = this.#model;
    const places = [...environments, ...engines.flatMap(({ members }) => members)];
    return [...groups, ...places.flatMap((place) => place.groups)].reduce(
      (sum, { count }) => sum + count,
      this.#earlier?.count ?? 0,
    );
  }

  nodeOf(session: Session): SessionNode {
    return this.#nodes.session(session);
  }

  /** Updates the times in the rows while the view is visible, and only then. */
  setVisible(visible: boolean): void {
    this.#visible = visible;
    this.#usage.setVisible(visible);
    this.#ports.setVisible(visible);
    this.#parts.members?.setVisible(visible);
    this.#parts.sightings?.setVisible(visible);
    this.#earlier?.setVisible(visible);
    if (visible) {
      this.#makeAnew();
    }
    this.#tickOn();
  }

  /** Somebody has expanded or collapsed a row. */
  setExpanded(node: TreeNode, expanded: boolean): void {
    if (node.kind === 'engine') {
      this.#parts.members?.watch(node.id, expanded);
    } else if (node.kind === 'session' && expanded) {
      this.#usage.expanded(node.session);
    } else if (node.kind === 'session') {
      this.#usage.collapsed(node.session);
    }
  }

  /** Where a browser finds the port of a row; undefined for other rows. */
  addressOf(node: UsageNode): string | undefined {
    return this.#usage.addressOf(node);
  }

  getChildren(node?: TreeNode): TreeNode[] {
    if (node === undefined) {
      const { environments, engines, groups } = this.#model;
      return [
        ...groups.map(({ key }) => this.#nodes.group(key, undefined)),
        ...environments.map(({ row }) => this.#nodes.environment(row.id)),
        ...engines.map(({ row }) => this.#nodes.engine(row.id)),
        ...(isFiltering(this.#choice.current.filter) ? [] : (this.#parts.sightings?.children() ?? [])),
        ...(this.#earlier !== undefined && this.#earlier.count > 0 ? [this.#earlier.node] : []),
      ];
    }
    if (node.kind === 'sighting') {
      return this.#parts.sightings?.children(node) ?? [];
    }
    if (node.kind === 'earlier') {
      return this.#earlier?.children() ?? [];
    }
    if (node.kind === 'environment') {
      return (this.#index.environment(node.id)?.groups ?? []).map(({ key }) =>
        this.#nodes.group(key, node.id),
      );
    }
    if (node.kind === 'session') {
      return hasUsage(node.session) ? this.#usage.children(node.session) : [];
    }
    const rowsOf = (rows: readonly SessionRow[], parent: EngineNode | GroupNode) =>
      rows.map(({ id }) => this.#nodes.row(id, parent)).filter((row) => row !== undefined);
    if (node.kind === 'engine') {
      // VS Code asks only for rows that it shows.
      this.#parts.members?.watch(node.id, true);
      const { members = [], notes = [] } = this.#index.engine(node.id) ?? {};
      return [...members.map(({ row }) => this.#nodes.environment(row.id)), ...rowsOf(notes, node)];
    }
    return node.kind === 'group' ? rowsOf(this.#index.group(node.key)?.rows ?? [], node) : [];
  }

  getParent(node: TreeNode): TreeNode | undefined {
    switch (node.kind) {
      case 'environment': {
        const engine = this.#index.engine(engineIdOf(node.id) ?? '');
        return engine && this.#nodes.engine(engine.row.id);
      }
      case 'engine':
      case 'earlier':
        return undefined;
      case 'note':
        return node.parent;
      case 'receipt':
        return this.#earlier?.node;
      case 'sighting':
        return this.#parts.sightings?.parent(node);
      case 'group':
        return node.environment === undefined ? undefined : this.#nodes.environment(node.environment);
      case 'session': {
        const place = this.#index.placeOf(node.session.id);
        return place && this.#nodes.group(place.key, place.environment);
      }
      case 'usage':
        return this.nodeOf(node.session);
    }
  }

  /** Whether the row is collapsed until somebody expands it. */
  beginsCollapsed(node: TreeNode): boolean {
    return (
      node.kind === 'engine' ||
      (node.kind === 'earlier' && this.#earlier?.isCollapsed === true) ||
      (node.kind === 'group' && this.#index.group(node.key)?.collapsed === true)
    );
  }

  getTreeItem(node: TreeNode): vscode.TreeItem {
    switch (node.kind) {
      case 'environment':
      case 'engine':
      case 'group':
      case 'note':
        return itemIn(this.#index, node);
      case 'earlier':
        return this.#earlier?.groupItem() ?? new vscode.TreeItem('');
      case 'sighting':
        return sightingItem(node.row);
      case 'receipt':
        return this.#earlier?.item(node) ?? new vscode.TreeItem('');
      case 'session': {
        // A row that is drawn anew gets another tooltip when somebody looks.
        this.#tooltips.forget(node.session);
        const row = this.#index.row(node.session.id);
        return row === undefined
          ? new vscode.TreeItem(node.session.label)
          : sessionItem(row, hasUsage(node.session));
      }
      case 'usage':
        return this.#usage.item(node);
    }
  }

  resolveTreeItem(item: vscode.TreeItem, node: TreeNode): vscode.TreeItem {
    if (node.kind === 'session') {
      const { previousId } = node.session;
      const previous = previousId === undefined ? undefined : this.#list.get(previousId);
      item.tooltip = sessionTooltip(node.session, previous, this.#keepHours());
      if (this.#list.get(node.session.id) === node.session) {
        this.#tooltips.shown(node.session);
      }
    }
    return item;
  }

  dispose(): void {
    this.#store.dispose();
  }

  #snapshotOf(session: Session): SessionSnapshot {
    let snapshot = this.#snapshots.get(session.id);
    if (snapshot === undefined) {
      snapshot = session.snapshot();
      this.#snapshots.set(session.id, snapshot);
    }
    return snapshot;
  }

  #tickOn(): void {
    this.#tick.dispose();
    if (this.#visible) {
      this.#tick.set(this.#model.counting ? COUNTDOWN_MS : TICK_MS, () => {
        this.#makeAnew();
        this.#tickOn();
      });
    }
  }

  #updateSoon(): void {
    this.#redraw.setUnlessSet(COALESCE_MS, () => this.#update());
  }

  /** Makes all rows again, with the current times and the names of the folders. */
  #makeAnew(): void {
    this.#rows = new SessionRows();
    this.#update();
  }

  /** Rows of sessions that have not changed keep the times that they show. */
  #update(): void {
    const before = this.#model;
    const sessions = this.#list.sessions.map((session) => this.#snapshotOf(session));
    // One look at the clock for all rows, since a second could pass between two looks.
    const now = this.#clock.now();
    const { places, changeAt } = this.#places.look(sessions, now);
    this.#model = treeModel(sessions, this.#clock.wallTime(), vscode.l10n, {
      environments: this.#environments.all,
      engines: this.#parts.members?.look(this.#environments.engines) ?? [],
      batches: this.#parts.batches?.rests ?? [],
      made: this.#rows,
      arrangement: { ...this.#choice.current, pinned: this.#marks.ids(sessions, 'pinned') },
      notifying: this.#marks.ids(sessions, 'notify'),
      folders: this.#folders,
      places,
    });
    this.#index = new TreeIndex(this.#model, this.#index);
    if (changeAt !== undefined) {
      this.#moving.set(changeAt - now, () => this.#update());
    }
    if (before.counting !== this.#model.counting) {
      this.#tickOn();
    }
    const change = treeChange(before, this.#model);
    this.#moves.look(before, this.#model, now);
    if (change.all || before.filter !== this.#model.filter) {
      this.#didChangeTreeData.fire(undefined);
    } else {
      const nodes = [
        ...change.engines.map((id) => this.#nodes.engine(id)),
        ...change.environments.map((id) => this.#nodes.environment(id)),
        ...change.groups.map((key) => this.#nodes.knownGroup(key)),
        ...change.rows.map((id) => this.#nodes.row(id, undefined)),
      ];
      for (const node of nodes.filter((one) => one !== undefined)) {
        this.#didChangeTreeData.fire(node);
      }
    }
    this.#didUpdate.fire(this.#model);
  }
}
