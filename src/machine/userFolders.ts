import path from 'node:path';

import type { HostVariables } from '../core/index.js';
import { homeFolder } from '../local/index.js';

/** The folder of files that can be made again, as the variables of a program name it. */
function cacheFolderOf(env: HostVariables): string {
  const home = homeFolder(env) ?? '/';
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
