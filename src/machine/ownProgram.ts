import type { HostVariables, ServerProgram } from '../core/index.js';
import { isCopyIn } from './copyServer.js';
import { ownControlGroups, serviceIn } from './controlGroups.js';
import { endsAtLogout } from './logins.js';
import { copiesFolder } from './userFolders.js';

/**
 * Describes this program, which is a session server.
 *
 * @param files The folder of its files.
 * @param controlGroups The control groups of this process, as in `/proc/self/cgroup`.
 */
export function ownProgram(
  files: string,
  env: HostVariables,
  controlGroups = ownControlGroups(),
): ServerProgram {
  const service = serviceIn(controlGroups);
  return {
    pid: process.pid,
    node: process.execPath,
    nodeVersion: process.version,
    electron: process.versions['electron'] !== undefined,
    files,
    copied: isCopyIn(copiesFolder(env), files),
    ...(service !== undefined && { service }),
    ...(endsAtLogout(controlGroups) && { endsAtLogout: true }),
  };
}
