import type { HostVariables } from '../../core/index.js';
import { existsSync, lstatSync, mkdirSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';

import { StartError, systemReason } from './startError.js';

/**
 * Makes a folder that only this user can look into; an existing folder must be private already.
 *
 * @throws StartError
 */
export function ensurePrivateFolder(folder: string): void {
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 });
  } catch (error) {
    throw new StartError(`cannot make the folder ${folder}: ${systemReason(error)}`, { cause: error });
  }
  if (process.platform === 'win32') {
    return;
  }
  // Links are not followed: the owner of a link could point it somewhere else later.
  const found = lstatSync(folder);
  if (!found.isDirectory()) {
    throw new StartError(
      `${folder} must be a folder, and is something else. Remove it, or choose another place`,
    );
  }
  if (found.uid !== process.getuid?.()) {
    throw new StartError(
      `the folder ${folder} belongs to somebody else. Choose another place for the socket`,
    );
  }
  if ((found.mode & 0o077) !== 0) {
    throw new StartError(
      `others can look into the folder ${folder}. Put the socket into one that only you can look into (mode 700)`,
    );
  }
}

/** The socket at which the server of this user listens by default. */
export function defaultSocketPath(env: HostVariables): string {
  const runtime = env['XDG_RUNTIME_DIR'];
  // The variable may name a folder that does not exist: not every kind of login creates it.
  const folder =
    runtime !== undefined && path.isAbsolute(runtime) && existsSync(runtime)
      ? path.join(runtime, 'exec-sessions')
      : path.join(os.tmpdir(), `exec-sessions-${process.getuid?.() ?? os.userInfo().username}`);
  return path.join(folder, 'exec-server.sock');
}
