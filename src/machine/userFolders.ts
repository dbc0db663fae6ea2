import { existsSync } from 'node:fs';
import path from 'node:path';

import type { HostVariables } from '../core/index.js';
import { homeFolder, type SandboxFolders, stateFolder } from '../local/index.js';
import { privatePlaces } from './privateFolder.js';

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
export function absolute(folder: string | undefined): string | undefined {
  return folder !== undefined && path.isAbsolute(folder) ? folder : undefined;
}

/**
 * The folders of this program that a sandbox guards.
 *
 * @param program The folder of the running program.
 * @param sockets The sockets at which it listens: with network, a program could start others there.
 */
export function sandboxFolders(
  env: HostVariables,
  program: string,
  sockets: readonly string[],
): SandboxFolders {
  const [runtime, ...others] = privatePlaces(env);
  const state = stateFolder(env);
  const own = state === undefined ? [] : [path.join(state, 'exec-sessions')];
  return {
    own: path.join(own[0] ?? runtime, 'sandboxes'),
    covered: [...own, runtime, ...others],
    sockets,
    readOnly: [copiesFolder(env), program, ...[path.join(program, '..', 'package.json')].filter(existsSync)],
  };
}
