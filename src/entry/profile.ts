import * as vscode from 'vscode';

import type { Rest } from './rest.js';

/** The id of the profile in package.json. */
const PROFILE = 'execSessions.session';

/** Puts sessions into VS Code's menu of new terminals. */
export function registerProfile(rest: Rest): vscode.Disposable {
  return vscode.window.registerTerminalProfileProvider(PROFILE, {
    provideTerminalProfile: () => rest.load().profile(),
  });
}
