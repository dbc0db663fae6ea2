import * as vscode from 'vscode';

import { type Disposable, DisposableStore } from '../../core/index.js';
import type { SessionList } from '../../sessions/list/index.js';
import { terminalContext } from '../../sessions/words/index.js';
import type { TreeDisplay } from '../tree/sessionsView.js';
import type { SessionTerminals } from './sessionTerminals.js';

/**
 * The context key for the menus of terminals. It has the possible actions on the active terminal's session, as words
 * between semicolons, and is empty without a session.
 */
export const ACTIVE_TERMINAL_KEY = 'execSessions.activeTerminal';

/**
 * Keeps {@link ACTIVE_TERMINAL_KEY} in line with the active terminal.
 *
 * @param set Gives the key a value.
 */
export function showActiveTerminal(
  terminals: Pick<SessionTerminals, 'sessionOf' | 'onDidChange'>,
  list: Pick<SessionList, 'onDidChange'>,
  set: (value: string) => void,
): Disposable {
  let shown = '';
  const show = () => {
    const session = terminals.sessionOf(vscode.window.activeTerminal)?.snapshot();
    const value = session === undefined ? '' : terminalContext(session);
    if (value !== shown) {
      shown = value;
      set(value);
    }
  };
  const store = new DisposableStore();
  store.add(vscode.window.onDidChangeActiveTerminal(show));
  // After a restart the terminal gets another session only once the list has reported it. The terminal of a task is
  // found only after VS Code has opened it.
  store.add(terminals.onDidChange(show));
  store.add(list.onDidChange(show));
  return store;
}

/** Selects the row of the session that the active terminal shows. */
export function followActiveTerminal(terminals: SessionTerminals, display: TreeDisplay): Disposable {
  return vscode.window.onDidChangeActiveTerminal((terminal) => {
    const session = terminals.sessionOf(terminal);
    if (session !== undefined) {
      void display.reveal(session);
    }
  });
}
