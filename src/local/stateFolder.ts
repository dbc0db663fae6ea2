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
 * An empty HOME would mean the working directory, so the system is asked in that case. A user unknown to the system, as
 * in many containers, has no home if HOME is not set.
 */
function homeFolder(env: HostVariables): string | undefined {
  const home = env['HOME'] ?? '';
  if (process.platform !== 'win32' && path.isAbsolute(home)) {
    return home;
  }
  try {
    return os.userInfo().homedir;
  } catch {
    return undefined;
  }
}
