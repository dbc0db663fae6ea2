import * as vscode from 'vscode';

import { type Clock, type Disposable, DisposableStore, isRecord } from '../../core/index.js';
import type { SessionList } from '../../sessions/list/index.js';
import { closeGhosts, possibleGhosts } from './ghosts.js';
import { OPEN_TERMINALS_KEY } from '../ids.js';
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

/** A terminal that was open, as it is remembered for the next start of the window. */
interface OpenTerminal {
  /** The id of the session that it showed. */
  readonly session: string;
  /** The name of its tab. */
  readonly name?: string;
  /** The editor column that it was in; undefined for the panel. */
  readonly column?: vscode.ViewColumn;
  /** Whether it was the active terminal. */
  readonly active?: true;
}

/** The most terminals that are remembered. No person looks through more. */
const MOST_REMEMBERED = 100;

/** Reads the remembered terminals. Invalid entries are left out. */
function rememberedTerminals(memento: Pick<vscode.Memento, 'get'>): readonly OpenTerminal[] {
  const stored = memento.get<unknown>(OPEN_TERMINALS_KEY);
  const entries: readonly unknown[] = Array.isArray(stored) ? stored : [];
  return entries.slice(0, MOST_REMEMBERED).flatMap((entry) => {
    if (!isRecord(entry) || typeof entry['session'] !== 'string') {
      return [];
    }
    const { session, name, column, active } = entry;
    return [
      {
        session,
        ...(typeof name === 'string' && { name }),
        ...(isColumn(column) && { column }),
        ...(active === true && { active }),
      },
    ];
  });
}

function isColumn(value: unknown): value is vscode.ViewColumn {
  return typeof value === 'number' && Number.isInteger(value) && value >= 1;
}

/**
 * The editor column of a terminal's tab; undefined for one in the panel. VS Code identifies tabs by their names only.
 */
function columnOf({ name }: Pick<vscode.Terminal, 'name'>): vscode.ViewColumn | undefined {
  return vscode.window.tabGroups.all.find(({ tabs }) =>
    tabs.some(({ input, label }) => input instanceof vscode.TabInputTerminal && label === name),
  )?.viewColumn;
}
