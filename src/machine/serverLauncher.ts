import { execFile } from 'node:child_process';
import path from 'node:path';
import { promisify } from 'node:util';

import type { HostVariables } from '../core/index.js';
import { isOfLogin, serviceIn } from './controlGroups.js';
import { lingers } from './logins.js';

/** The oldest Node that runs the server. */
const OLDEST_NODE = 20;
/** The time for a Node to say its version, in milliseconds. */
const VERSION_LIMIT_MS = 5_000;

/** Starts a server in a scope of its own, by the manager of the user's services. */
const OWN_SCOPE = ['systemd-run', '--user', '--scope', '--quiet', '--collect', '--'] as const;

/**
 * The command that starts a server outside of the service of systemd that this program runs in, which would end the
 * server with it. So may a login. But a scope lives as long as its manager, which ends with the user's last login
 * unless it lingers.
 *
 * @param controlGroups As in `/proc/self/cgroup`.
 * @returns undefined if this program is best started where it is.
 */
export function inOwnScope(
  argv: readonly [string, ...string[]],
  controlGroups: string,
  lingering: () => boolean = lingers,
): readonly [string, ...string[]] | undefined {
  const isBetter = serviceIn(controlGroups) !== undefined || (isOfLogin(controlGroups) && lingering());
  return isBetter ? [...OWN_SCOPE, ...argv] : undefined;
}

/**
 * Finds a Node that goes on if VS Code is removed or updated. The executable of VS Code's desktop is Electron, which
 * needs the libraries beside it. On Windows its updater ends every process of it.
 *
 * @returns undefined if no Node on the PATH is new enough.
 */
export async function findNode(env: HostVariables): Promise<string | undefined> {
  const name = process.platform === 'win32' ? 'node.exe' : 'node';
  for (const folder of (env['PATH'] ?? '').split(path.delimiter).filter((part) => path.isAbsolute(part))) {
    const file = path.join(folder, name);
    const version = await versionOf(file);
    if (version >= OLDEST_NODE) {
      return file;
    }
  }
  return undefined;
}

/** @returns 0 if the file cannot be run, or is no Node. */
async function versionOf(node: string): Promise<number> {
  try {
    const { stdout } = await promisify(execFile)(node, ['--version'], {
      timeout: VERSION_LIMIT_MS,
      windowsHide: true,
    });
    return Number(/^v(\d+)\./.exec(stdout)?.[1] ?? 0);
  } catch {
    return 0;
  }
}
