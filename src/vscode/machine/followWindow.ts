import * as vscode from 'vscode';

import type { Disposable } from '../../core/index.js';
import { SETTINGS_SECTION } from '../../sessions/options/index.js';
import type { SessionServer } from './sessionServer.js';

/**
 * Looks for servers whenever a person turns to the window, since not every system tells of their sockets, and tells the
 * server what the settings say when they change.
 */
export function followWindow(server: Pick<SessionServer, 'look' | 'tellLimits'>): Disposable {
  return vscode.Disposable.from(
    vscode.window.onDidChangeWindowState(({ focused }) => {
      if (focused) {
        void server.look();
      }
    }),
    vscode.workspace.onDidChangeConfiguration((change) => {
      if (change.affectsConfiguration(SETTINGS_SECTION)) {
        void server.tellLimits();
      }
    }),
  );
}
