import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { promisify } from 'node:util';

import type { HostVariables } from '../core/index.js';

/** The oldest Node that runs the server. */
const OLDEST_NODE = 20;
/** The time for a Node to say its version, in milliseconds. */
const VERSION_LIMIT_MS = 5_000;

/** Starts a server in a scope of its own, by the manager of the user's services. */
const OWN_SCOPE = ['systemd-run', '--user', '--scope', '--quiet', '--collect', '--'] as const;

/**
 * The control groups of this process, as Linux lists them; empty elsewhere.
 */
export function ownControlGroups(): string {
  try {
    return readFileSync('/proc/self/cgroup', 'utf8');
  } catch {
    return '';
  }
}

/**
 * The command that starts a server outside of the service of systemd that this program runs in: the service would end
 * the server with it.
 *
 * @param controlGroups As in `/proc/self/cgroup`.
 * @returns undefined if this program runs in no service.
 */
export function inOwnScope(
  argv: readonly [string, ...string[]],
  controlGroups: string,
): readonly [string, ...string[]] | undefined {
  return serviceIn(controlGroups) === undefined ? undefined : [...OWN_SCOPE, ...argv];
}

/**
 * The service of systemd that a process belongs to, and ends with.
 *
 * @param controlGroups The control groups of the process, as in `/proc/self/cgroup`.
 */
export function serviceIn(controlGroups: string): string | undefined {
  return controlGroups
    .split('\n')
    .map(unitIn)
    .find((unit) => unit?.endsWith('.service'));
}

/**
 * @param line One of the control groups of a process. @returns the unit that it belongs to, if systemd says that here.
 */
function unitIn(line: string): string | undefined {
  const [, , controllers = 'none', group = ''] = /^(\d+):([^:]*):(.*)$/.exec(line) ?? [];
  return ['', 'name=systemd'].includes(controllers)
    ? group.split('/').findLast((part) => /\.(?:service|scope)$/.test(part))
    : undefined;
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
