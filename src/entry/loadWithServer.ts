import * as vscode from 'vscode';

import type * as sight from '../vscode/machine/awaitServer.js';
import type { LazyMain } from './lazyMain.js';

/**
 * Loads the rest as soon as there is a session server. Sessions of agents and other windows there are counted and may
 * call for a person, even in a window whose view was never opened. The look begins after the activation, which does not
 * wait for it.
 *
 * @param loadSight Loads the part that looks for servers. Called at most once.
 */
export function loadWithServer(main: LazyMain, loadSight: () => typeof sight): vscode.Disposable {
  let watch: vscode.Disposable | undefined;
  const later = setImmediate(() => {
    if (!usesServer()) {
      return;
    }
    try {
      watch = loadSight().awaitServer(() => main.loadUnasked());
    } catch (error) {
      main.logError(`Cannot look for session servers: ${String(error)}`);
    }
  });
  const end = () => {
    clearImmediate(later);
    watch?.dispose();
  };
  // From now on the rest looks itself.
  return vscode.Disposable.from(main.onDidLoad(end), { dispose: end });
}

/** A change of the setting loads the rest. */
function usesServer(): boolean {
  return vscode.workspace.getConfiguration('execSessions').get('local.backend') !== 'extensionHost';
}
