import * as vscode from 'vscode';

import { type Disposable, DisposableStore, oneLine } from '../../core/index.js';
import type { Session, SessionList } from '../../sessions/list/index.js';
import { TERMINAL_FLAGS, type TerminalFlag, terminalFlags } from '../../sessions/words/index.js';
import { errorText } from '../userError.js';
import type { SessionTerminals } from './sessionTerminals.js';
import { isTerminalUri, numberIn, TerminalNumbers } from './terminalNumbers.js';

export interface TerminalTabsOptions {
  readonly terminals: Pick<SessionTerminals, 'all' | 'onDidChange'>;
  readonly list: Pick<SessionList, 'onDidChange'>;
  /** Gives a context key a value. */
  readonly set: (key: string, numbers: readonly string[]) => void;
  readonly log: Pick<vscode.LogOutputChannel, 'warn'>;
}

/** The context key that has the numbers of the terminals for whose sessions this is true, for the menus of their tabs. */
export function terminalsKey(flag: TerminalFlag): string {
  return `execSessions.terminals.${flag}`;
}

/**
 * What the menus of tabs in the editor area know of the terminals there. VS Code tells such a menu the address of the
 * terminal, the last part of which (`resourceFilename`) is its number.
 */
export class TerminalTabs implements Disposable {
  readonly #options: TerminalTabsOptions;
  readonly #numbers = new TerminalNumbers();
  readonly #disposables = new DisposableStore();
  readonly #shown = new Map<TerminalFlag, string>();
  #looking = false;
  #again = false;

  constructor(options: TerminalTabsOptions) {
    this.#options = options;
    const look = () => void this.#look();
    this.#disposables.add(vscode.window.tabGroups.onDidChangeTabs(look));
    // VS Code knows the number of a terminal once it has opened it.
    this.#disposables.add(vscode.window.onDidOpenTerminal(look));
    this.#disposables.add(options.terminals.onDidChange(look));
    this.#disposables.add(options.list.onDidChange(() => this.#show()));
  }

  /** The session that the terminal at an address in the editor area shows; undefined for anything else. */
  sessionAt(target: unknown): Session | undefined {
    if (!isTerminalUri(target)) {
      return undefined;
    }
    const number = numberIn(target);
    return this.#options.terminals.all.find(({ terminal }) => this.#numbers.of(terminal) === number)?.session;
  }

  dispose(): void {
    this.#disposables.dispose();
  }

  /** Finds the terminals of the editor area, one look at a time. */
  async #look(): Promise<void> {
    this.#again = true;
    if (this.#looking) {
      return;
    }
    this.#looking = true;
    while (this.#again) {
      this.#again = false;
      if (isTerminalInEditorArea()) {
        try {
          await this.#numbers.find(this.#options.terminals.all.map(({ terminal }) => terminal));
        } catch (error) {
          this.#options.log.warn(`The numbers of terminals are unknown: ${oneLine(errorText(error))}`);
        }
      }
      this.#show();
    }
    this.#looking = false;
  }

  #show(): void {
    const shown = this.#options.terminals.all.flatMap(({ terminal, session }) => {
      const number = this.#numbers.of(terminal);
      return number === undefined ? [] : [{ number, flags: terminalFlags(session.snapshot()) }];
    });
    for (const flag of TERMINAL_FLAGS) {
      const numbers = shown.filter(({ flags }) => flags.includes(flag)).map(({ number }) => String(number));
      const value = numbers.join(' ');
      if (value !== (this.#shown.get(flag) ?? '')) {
        this.#shown.set(flag, value);
        this.#options.set(terminalsKey(flag), numbers);
      }
    }
  }
}

function isTerminalInEditorArea(): boolean {
  return vscode.window.tabGroups.all.some(({ tabs }) =>
    tabs.some(({ input }) => input instanceof vscode.TabInputTerminal),
  );
}
