import path from 'node:path';

import { version } from '../../../package.json';
import { systemClock } from '../../../src/core/index.js';
import { listProcesses } from '../../../src/local/marks/processTable.js';
import { connectMachine, type Machine } from '../../../src/machine/index.js';
import { commandConnector, RemoteBackend } from '../../../src/remote/index.js';
import { root } from '../../rig/paths.js';
import { ownServer, type ServerHome } from '../../support/execServer.js';
import { killIfThere } from '../../support/killIfThere.js';
import { commandLine, isRunning } from '../../support/processes.js';
import { until } from '../../support/until.js';

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

/** Connects to the session server of this user in a home of its own. Starts it if it does not run. */
export async function connectToMachine({
  folder,
  env,
}: Pick<ServerHome, 'folder' | 'env'>): Promise<Machine> {
  const machine = await connectMachine({
    version,
    files: path.join(root, 'dist'),
    env: { ...env, XDG_RUNTIME_DIR: folder },
    clock: systemClock,
    log: () => undefined,
    start: true,
  });
  if (machine === undefined) throw new Error('There is no session server.');
  return machine;
}

/** Ends the server that the bridges have started, and with it everything that it owns. */
export async function endServerOf({ folder }: ServerHome): Promise<void> {
  for (const { pid } of await listProcesses()) {
    if (!commandLine(pid).includes(bridgeArgv(folder).at(-1) ?? '')) continue;
    killIfThere(pid, 'SIGTERM');
    await until(async () => !(await isRunning(pid)));
  }
}
