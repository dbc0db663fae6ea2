import * as vscode from 'vscode';

import { exposedFolders, findServers, watchServers } from '../../machine/index.js';

/**
 * Tells, once, that there is a session server on this machine: now, or later. Sockets are watched where the system
 * allows that, and looked for whenever a person turns to the window. This is a small program of its own, for windows
 * that have loaded nothing else.
 *
 * @param seen Never called after the end of what is returned.
 */
export function awaitServer(seen: () => void): vscode.Disposable {
  let waiting = true;
  const look = async (): Promise<void> => {
    const servers = await findServers(process.env);
    // What is left out has to be told of too.
    if (waiting && (servers.length > 0 || exposedFolders(process.env).length > 0)) {
      waiting = false;
      seen();
    }
  };
  // Places that cannot be looked into have no server that could be used; the rest says so once it is loaded.
  const lookQuietly = () => void look().catch(() => undefined);
  const watch = watchServers(process.env, lookQuietly, () => undefined);
  lookQuietly();
  return vscode.Disposable.from(
    watch,
    vscode.window.onDidChangeWindowState(({ focused }) => {
      if (focused) {
        lookQuietly();
      }
    }),
    { dispose: () => (waiting = false) },
  );
}
