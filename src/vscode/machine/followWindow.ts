import * as vscode from 'vscode';

import type { Disposable } from '../../core/index.js';
import { SETTINGS_SECTION } from '../../sessions/options/index.js';
import type { SessionServer } from './sessionServer.js';

/**
 * Looks for servers whenever a person turns to the window, because not every system reports new sockets. Tells the
 * server about changed settings.
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
