import * as vscode from 'vscode';

import { type Clock, type Disposable, DisposableStore } from '../../core/index.js';
import type { SessionList } from '../../sessions/list/index.js';
import { closeGhosts, possibleGhosts } from './ghosts.js';
import { columnOf, type OpenTerminal, rememberedTerminals } from './openTerminals.js';
import { OPEN_TERMINALS_KEY } from './openTerminalsKey.js';
import type { SessionTerminals } from './sessionTerminals.js';

/**
 * Remembers which terminals are open, and opens them again in a window that was loaded again. The list is always up to
 * date, since a killed extension host writes nothing.
 */
export class TerminalMemory implements Disposable {
  readonly #memento: vscode.Memento;
  readonly #list: SessionList;
  readonly #terminals: SessionTerminals;
  readonly #clock: Clock;
  readonly #store = new DisposableStore();
  #written = '';
  /** The terminals that are still to be opened, in order. They stay remembered until they are open. */
  #missing: readonly OpenTerminal[];

  constructor(options: {
    memento: vscode.Memento;
    list: SessionList;
    terminals: SessionTerminals;
    clock: Clock;
  }) {
    this.#clock = options.clock;
    this.#memento = options.memento;
    this.#list = options.list;
    this.#terminals = options.terminals;
    this.#missing = rememberedTerminals(options.memento);
    const write = () => this.#write();
    this.#store.add(options.terminals.onDidChange(write));
    this.#store.add(vscode.window.onDidChangeActiveTerminal(write));
    this.#store.add(vscode.window.tabGroups.onDidChangeTabs(write));
    this.#store.add(
      vscode.window.onDidCloseTerminal(({ exitStatus }) => {
        // The window closes, and its open terminals are to be opened again.
        if (exitStatus?.reason === vscode.TerminalExitReason.Shutdown) {
          this.dispose();
        }
      }),
    );
  }

  /**
   * Opens the terminals of sessions that are in the list, and forgets the others. The focus stays where it is.
   * Terminals that a killed extension host has left behind are closed.
   */
  async restore(): Promise<void> {
    const missing = this.#missing;
    const names = missing.flatMap(({ name }) => name ?? []);
    const ghosts = possibleGhosts(vscode.window.terminals, names);
    this.#missing = [];
    const shown = new Set(this.#terminals.all.map(({ session }) => session));
    const opened = missing.flatMap((terminal) => {
      const session = this.#list.get(terminal.session);
      return session === undefined || shown.has(session)
        ? []
        : [{ ...terminal, opened: this.#terminals.reopen(session, terminal.column) }];
    });
    const { activeTerminal } = vscode.window;
    if (activeTerminal === undefined || !this.#isWanted(activeTerminal)) {
      opened.find(({ active }) => active === true)?.opened.show(true);
    }
    this.#write();
    await closeGhosts(ghosts, names, this.#clock);
  }

  dispose(): void {
    this.#store.dispose();
  }

  /**
   * Whether a person has opened a terminal, which then stays in front. In an open panel VS Code opens a shell of its
   * own, into which no person has typed. It may also show a terminal that a killed extension host has left behind.
   */
  #isWanted(terminal: vscode.Terminal): boolean {
    return terminal.state.isInteractedWith || this.#terminals.sessionOf(terminal) !== undefined;
  }

  #write(): void {
    const active = vscode.window.activeTerminal;
    const open = this.#terminals.all.map(({ terminal, name, session }): OpenTerminal => {
      const column = columnOf(terminal);
      return {
        session: session.id,
        name,
        ...(column !== undefined && { column }),
        ...(terminal === active && { active: true }),
      };
    });
    const all = [...this.#missing, ...open];
    const text = JSON.stringify(all);
    if (text !== this.#written) {
      this.#written = text;
      void this.#memento.update(OPEN_TERMINALS_KEY, all.length === 0 ? undefined : all);
    }
  }
}
