import * as vscode from 'vscode';

import { exposedFolders, findServers, watchServers } from '../../machine/index.js';

/**
 * Reports once that this machine has a session server, now or later. Watches the sockets if the system allows that, and
 * looks for them whenever a person turns to the window. This is a small bundle for windows that have loaded nothing
 * else.
 *
 * @param seen Never called after the returned object is disposed.
 */
export function awaitServer(seen: () => void): vscode.Disposable {
  let waiting = true;
  const look = async (): Promise<void> => {
    const servers = await findServers(process.env);
    // Servers that are left out have to be reported too.
    if (waiting && (servers.length > 0 || exposedFolders(process.env).length > 0)) {
      waiting = false;
      seen();
    }
  };
  // A folder that cannot be read has no usable server. The rest of the extension says so once it is loaded.
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
