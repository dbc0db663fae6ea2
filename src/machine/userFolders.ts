import os from 'node:os';
import path from 'node:path';

import type { HostVariables } from '../core/index.js';

/** The home of the user, as the variables of a program name it. */
export function homeOf(env: HostVariables): string {
  return absolute(env[process.platform === 'win32' ? 'USERPROFILE' : 'HOME']) ?? os.homedir();
}

/** The folder for temporary files, as the variables of a program name it. */
export function temporaryFolderOf(env: HostVariables): string {
  return process.platform === 'win32' ? os.tmpdir() : (absolute(env['TMPDIR']) ?? '/tmp');
}

/**
 * The folder of the login, as the variables of a program name it. One that is empty, or not absolute, counts as not
 * set.
 */
export function runtimeFolderOf(env: HostVariables): string | undefined {
  return absolute(env['XDG_RUNTIME_DIR']);
}

/** The folder of files that can be made again, as the variables of a program name it. */
function cacheFolderOf(env: HostVariables): string {
  const home = homeOf(env);
  if (process.platform === 'win32') {
    return absolute(env['LOCALAPPDATA']) ?? path.join(home, 'AppData', 'Local');
  }
  return process.platform === 'darwin'
    ? path.join(home, 'Library', 'Caches')
    : (absolute(env['XDG_CACHE_HOME']) ?? path.join(home, '.cache'));
}

/** The folder of what this program keeps to be quicker next time: copies of servers, compiled code. */
export function copiesFolder(env: HostVariables): string {
  return path.join(cacheFolderOf(env), 'exec-sessions');
}

/** @returns undefined for a variable that is not set, or names no folder of its own. */
function absolute(folder: string | undefined): string | undefined {
  return folder !== undefined && path.isAbsolute(folder) ? folder : undefined;
}
