import path from 'node:path';

import { listProcesses } from '../../../src/local/processTable.js';
import { commandConnector, RemoteBackend } from '../../../src/remote/index.js';
import { ownServer, type ServerHome } from '../../support/execServer.js';
import { killIfThere } from '../../support/killIfThere.js';
import { commandLine, isRunning, until } from '../../support/processes.js';

/** The bridge to a server that owns its sessions, and that the first bridge starts. */
export function bridgeArgv(folder: string): [string, ...string[]] {
  return [process.execPath, ownServer, 'bridge', '--stdio', '--socket', path.join(folder, 'own/socket')];
}

export function connectThroughBridge({
  folder,
  env,
}: Pick<ServerHome, 'folder' | 'env'>): Promise<RemoteBackend> {
  const connector = commandConnector({ argv: bridgeArgv(folder), cwd: folder, env });
  return RemoteBackend.connect({ connector, clientName: 'kills' });
}

/** Ends the server that the bridges have started, and with it everything that it owns. */
export async function endServerOf({ folder }: ServerHome): Promise<void> {
  for (const { pid } of await listProcesses()) {
    if (!commandLine(pid).includes(bridgeArgv(folder).at(-1) ?? '')) continue;
    killIfThere(pid, 'SIGTERM');
    await until(async () => !(await isRunning(pid)));
  }
}
