import { readdir, rm, rmdir } from 'node:fs/promises';
import path from 'node:path';

import type { HostVariables } from '../core/index.js';
import { stateFolder } from '../local/index.js';
import { removeCopies } from './copyServer.js';
import { isOurs } from './findServers.js';
import { isOfThisMachine } from './machineName.js';
import { privatePlaces } from './privateFolder.js';
import { copiesFolder } from './userFolders.js';

/**
 * Removes what session servers of this account keep here, once they have ended: copies and Node, receipts and output,
 * sockets and logs. Files of others stay, and so do the sockets of other machines that share the home.
 *
 * @throws NodeJS.ErrnoException
 */
export async function removeOwnFiles(env: HostVariables): Promise<void> {
  await removeCopies(copiesFolder(env));
  const state = stateFolder(env);
  const kept = state === undefined ? undefined : path.join(state, 'exec-sessions');
  if (kept !== undefined && isOurs(kept)) {
    await rm(kept, { recursive: true, force: true });
  }
  for (const folder of privatePlaces(env).filter(isOurs)) {
    for (const name of (await readdir(folder)).filter(isOfThisMachine)) {
      await rm(path.join(folder, name), { force: true });
    }
    // Another program of ours may have its socket there, such as the server of a bridge.
    await rmdir(folder).catch(() => undefined);
  }
}
