import os from 'node:os';
import path from 'node:path';

import type { HostVariables } from '../core/index.js';

/**
 * The user's own folder for program state, as the variables of a program name it.
 *
 * @returns undefined if the user has no place for that.
 */
export function stateFolder(env: HostVariables): string | undefined {
  const { XDG_STATE_HOME = '', LOCALAPPDATA = '' } = env;
  if (process.platform === 'win32' && LOCALAPPDATA !== '') {
    return LOCALAPPDATA;
  }
  if (path.isAbsolute(XDG_STATE_HOME)) {
    return XDG_STATE_HOME;
  }
  const home = homeFolder(env);
  return home === undefined ? undefined : path.join(home, '.local', 'state');
}

/**
 * The home of the user, as the variables of a program name it. An empty HOME, or a relative one, would mean a folder
 * below the working directory, so the user database is asked in that case.
 *
 * @returns undefined for a user without a home.
 */
export function homeFolder(env: HostVariables): string | undefined {
  const home = env[process.platform === 'win32' ? 'USERPROFILE' : 'HOME'] ?? '';
  return path.isAbsolute(home) ? home : homeInDatabase();
}

/** The home of the user, whatever the variables say; undefined for a user whom the system does not know. */
export function homeInDatabase(): string | undefined {
  try {
    return os.userInfo().homedir;
  } catch {
    return undefined;
  }
}
