import * as vscode from 'vscode';

import { type Clock, type Disposable, DisposableStore } from '../../core/index.js';
import type { Session } from '../../sessions/list/index.js';
import { attention, attentionText } from '../../sessions/words/index.js';
import type { TreeModel } from '../../sessions/tree/index.js';
import { isSessionNode, isSightingNode, type SightingNode, type TreeNode } from './nodes.js';
import { isHolder } from './sightingRows.js';
import type { SessionTree } from './sessionTree.js';

/** Whether a filter is set, for the conditions of menus. */
const FILTERED_KEY = 'execSessions.filtered';

/** Whether the sessions of other folders stand among those of this window, for the conditions of menus. */
const ELSEWHERE_IN_PLACE_KEY = 'execSessions.elsewhereInPlace';

/** The time for which a row's command may come after the key that selected the row, in milliseconds. */
const LATE_COMMAND_MS = 1_000;

/** The view, which its creator disposes of. */
type LastingView = Omit<vscode.TreeView<TreeNode>, 'dispose'>;

/** Shows in the view what the tree knows: the number of sessions that wait or run on its icon, and the filter. */
export class SessionsView implements TreeDisplay {
  readonly #store = new DisposableStore();
  readonly #sessions: () => readonly Session[];
  readonly #tree: SessionTree;
  readonly #view: LastingView;
  readonly #clock: Clock;
  /** The groups and environments that were collapsed. */
  readonly #collapsed = new Set<TreeNode>();
  readonly #expanded = new Set<TreeNode>();
  #commandsUntil: number | undefined;
  /** The session to select once the tree, which collects changes for a moment, has a row for it. */
  #toReveal: Session | undefined;
  #filter: string | undefined;
  #elsewhereInPlace = false;

  /**
   * @param view The view of the tree, which outlives this object.
   * @param sessions Returns those that the number on the icon counts.
   */
  constructor(tree: SessionTree, view: LastingView, sessions: () => readonly Session[], clock: Clock) {
    this.#sessions = sessions;
    this.#tree = tree;
    this.#view = view;
    this.#clock = clock;
    this.#store.add(
      tree.onDidUpdate((model) => {
        this.#showBadge();
        this.#showFilter(model);
        this.#showElsewhere(model.elsewhere === 'inPlace');
        this.#revealLate();
      }),
    );
    this.#store.add(view.onDidChangeVisibility(({ visible }) => tree.setVisible(visible)));
    this.#store.add(
      view.onDidCollapseElement(({ element }) => {
        this.#expanded.delete(element);
        this.#collapsed.add(element);
        tree.setExpanded(element, false);
      }),
    );
    this.#store.add(
      view.onDidExpandElement(({ element }) => {
        this.#collapsed.delete(element);
        this.#expanded.add(element);
        tree.setExpanded(element, true);
      }),
    );
    this.#showElsewhere(tree.model.elsewhere === 'inPlace');
    tree.setVisible(view.visible);
  }

  get badge(): vscode.ViewBadge | undefined {
    return this.#view.badge;
  }

  get selection(): readonly Session[] {
    return this.#view.selection.filter(isSessionNode).map(({ session }) => session);
  }

  get selectedSighting(): SightingNode | undefined {
    return this.#view.selection.find(isSightingNode);
  }

  async forKey(opens: boolean): Promise<readonly Session[]> {
    if (this.#view.selection.length < 2) {
      // The arrow keys move the focus and not the selection, and no API tells where the focus is. This selects the row
      // that has it, and runs the command of that row.
      this.#commandsUntil = this.#clock.now() + LATE_COMMAND_MS;
      await vscode.commands.executeCommand('list.select');
      if (!opens && this.#view.selection.some(togglesWhenSelected)) {
        // It has expanded or collapsed the row as well.
        await vscode.commands.executeCommand('list.toggleExpand');
      }
    }
    return this.selection;
  }

  causedByKey(): boolean {
    const until = this.#commandsUntil;
    this.#commandsUntil = undefined;
    return until !== undefined && this.#clock.now() < until;
  }

  async reveal(session: Session): Promise<void> {
    const node = this.#tree.nodeOf(session);
    this.#toReveal = this.#tree.getParent(node) === undefined ? session : undefined;
    if (this.#view.visible && !this.#view.selection.includes(node) && !this.#isInCollapsed(node)) {
      await this.#view.reveal(node, { select: true, focus: false });
    }
  }

  dispose(): void {
    this.#store.dispose();
  }

  /** Selects the wanted session if it has a row now. */
  #revealLate(): void {
    const session = this.#toReveal;
    if (session !== undefined) {
      void this.reveal(session);
      // A hidden session is not selected later, when the filter is cleared.
      this.#toReveal = undefined;
    }
  }

  /** Whether a row cannot be shown without expanding something that a person has collapsed. */
  #isInCollapsed(node: TreeNode): boolean {
    const parent = this.#tree.getParent(node);
    if (parent === undefined) {
      return node.kind === 'session';
    }
    const collapsed =
      this.#collapsed.has(parent) || (this.#tree.beginsCollapsed(parent) && !this.#expanded.has(parent));
    return collapsed || this.#isInCollapsed(parent);
  }

  #showFilter({ filter }: TreeModel): void {
    // VS Code shows no description of a view that is alone in its container. A message also replaces the welcome text
    // of an empty view.
    const message = filter === undefined ? '' : messageOf(filter, this.#tree.shown > 0);
    if ((this.#view.message ?? '') !== message) {
      this.#view.message = message;
    }
    if (this.#filter !== filter) {
      this.#filter = filter;
      this.#view.description = filter ?? '';
      void vscode.commands.executeCommand('setContext', FILTERED_KEY, filter !== undefined);
    }
  }

  #showElsewhere(inPlace: boolean): void {
    if (this.#elsewhereInPlace !== inPlace) {
      this.#elsewhereInPlace = inPlace;
      void vscode.commands.executeCommand('setContext', ELSEWHERE_IN_PLACE_KEY, inPlace);
    }
  }

  /** Shows how many sessions wait for a person, or else how many run. */
  #showBadge(): void {
    const found = attention(this.#sessions().map((session) => session.snapshot()));
    const tooltip = attentionText(found, vscode.l10n);
    if ((this.#view.badge?.tooltip ?? '') !== tooltip) {
      const value = found.waiting.length > 0 ? found.waiting.length : found.running.length;
      this.#view.badge = value === 0 ? undefined : { value, tooltip };
    }
  }
}

/** Whether VS Code expands or collapses a row that is selected by a key: rows with a command stay as they are. */
function togglesWhenSelected(node: TreeNode): boolean {
  return isSightingNode(node) ? isHolder(node.row) : ['group', 'environment', 'engine'].includes(node.kind);
}

function messageOf(filter: string, some: boolean): string {
  return some
    ? vscode.l10n.t('Filter: {0}', filter)
    : vscode.l10n.t('No session matches the filter: {0}.', filter);
}

/** The view of the tree, as far as commands need it. */
export interface TreeDisplay extends Disposable {
  /** The sessions whose rows are selected. */
  readonly selection: readonly Session[];
  /** The selected row of a process that is no session. */
  readonly selectedSighting: SightingNode | undefined;
  /**
   * The sessions that a key acts on: several selected rows, or else the row with the keyboard's focus, which this
   * selects.
   *
   * @param opens Whether the key expands or collapses a row that stands for no session. Other keys leave it as it is.
   */
  forKey(opens: boolean): Promise<readonly Session[]>;
  /**
   * Whether the running command of the row was caused by {@link forKey}, not by a person who wants to see the session.
   */
  causedByKey(): boolean;
  /** Selects a session's row, if the view can be seen. The keyboard stays where it is. */
  reveal(session: Session): Promise<void>;
}
