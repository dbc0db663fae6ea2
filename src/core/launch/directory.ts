import type { HostInfo } from '../index.js';

/**
 * Paths of another machine. Nothing here asks this one: neither what its separator is, nor whether a directory exists.
 */

/** Whether a path needs no directory to start from, on whatever machine; `~` is somebody's home there. */
export function isAbsoluteThere(path: string): boolean {
  return /^(?:\/|[A-Za-z]:[\\/]|\\\\|~(?:$|[\\/]))/.test(path);
}

/** Whether it is Windows; of a server that does not say so its own paths tell. */
export function isWindowsThere({ platform, cwd, homeDir, shell }: HostInfo): boolean {
  return platform === undefined
    ? [cwd, homeDir, shell?.path].some((path) => /^(?:[A-Za-z]:[\\/]|\\\\)/.test(path ?? ''))
    : platform === 'win32';
}

/**
 * Where a session starts on another machine.
 *
 * @param wanted What was asked for, the first choice first; each may be relative to the next one.
 * @returns undefined if that would be in a home directory which is not known.
 */
export function directoryThere(wanted: readonly (string | undefined)[], host: HostInfo): string | undefined {
  const windows = isWindowsThere(host);
  const usual = [host.cwd, host.homeDir, windows ? 'C:\\' : '/'];
  const candidates = [...wanted, ...usual].filter((path) => path !== undefined && path !== '');
  let relative = '';
  for (const candidate of candidates) {
    const path = candidate === undefined ? '' : joinThere(candidate, relative, windows);
    if (isAbsoluteThere(path)) {
      return inHome(path, host.homeDir, windows);
    }
    relative = path;
  }
  return undefined;
}

function inHome(path: string, home: string | undefined, windows: boolean): string | undefined {
  if (!path.startsWith('~')) {
    return path;
  }
  return home === undefined ? undefined : joinThere(home, path.slice(1).replace(/^[\\/]+/, ''), windows);
}

function joinThere(base: string, path: string, windows: boolean): string {
  if (path === '') {
    return base;
  }
  const separator = windows ? '\\' : '/';
  return /[\\/]$/.test(base) ? base + path : base + separator + path;
}
