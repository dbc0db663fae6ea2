import type { HostInfo } from '../process/execBackend.js';

/**
 * Paths of another machine. Nothing in this file asks this machine for its separator, or whether a directory exists.
 */

/**
 * Whether a path of any machine is complete without a directory to start from. `~` is a home directory on that machine.
 */
export function isAbsoluteThere(path: string): boolean {
  return /^(?:[\\/]|[A-Za-z]:[\\/]|~(?:$|[\\/]))/.test(path);
}

/** Whether the machine runs Windows. If its server does not say so, its own paths tell. */
export function isWindowsThere({ platform, cwd, homeDir, shell }: HostInfo): boolean {
  return platform === undefined
    ? [cwd, homeDir, shell?.path].some((path) => /^(?:[A-Za-z]:[\\/]|\\\\)/.test(path ?? ''))
    : platform === 'win32';
}

/**
 * Finds the directory that a command starts in: an absolute path of the machine that it runs on, without `.` and `..`.
 *
 * @param wanted The requested directories, first choice first; each may be relative to the next one.
 * @returns undefined if the directory would be in an unknown home directory.
 */
export function directoryThere(wanted: readonly (string | undefined)[], host: HostInfo): string | undefined {
  const windows = isWindowsThere(host);
  const usual = [host.cwd, host.homeDir, windows ? 'C:\\' : '/'];
  const candidates = [...wanted, ...usual].filter((path) => path !== undefined && path !== '');
  let relative = '';
  for (const candidate of candidates) {
    const rooted = windows && ROOTED.test(relative);
    const path = rooted
      ? (WINDOWS_DRIVE.exec(candidate ?? '')?.[0] ?? '') + relative
      : `${candidate ?? ''}/${relative}`;
    if (windows ? isAbsoluteThere(path) && !ROOTED.test(path) : POSIX_ABSOLUTE.test(path)) {
      const whole = fromHome(path, host.homeDir);
      return whole === undefined ? undefined : normalPath(whole, windows);
    }
    relative = path;
  }
  return undefined;
}

function fromHome(path: string, home: string | undefined): string | undefined {
  if (!path.startsWith('~')) {
    return path;
  }
  return home === undefined || home === '' ? undefined : home + path.slice(1);
}

/** A Windows path without a drive. It is on the drive of the directory that it is relative to. */
const ROOTED = /^[\\/](?![\\/])/;

/** On POSIX a backslash, and a letter with a colon, are ordinary characters of a name. */
const POSIX_ABSOLUTE = /^(?:\/|~\/)/;

/** A drive, or the name of a shared folder. */
const WINDOWS_DRIVE = /^(?:[A-Za-z]:|[\\/]{2}[^\\/]+[\\/]+[^\\/]+)/;

/**
 * Normalizes an absolute path and spells it as its machine does. `..` removes the name before it, as in a shell's `cd`.
 */
function normalPath(path: string, windows: boolean): string {
  const drive = windows ? (WINDOWS_DRIVE.exec(path)?.[0] ?? '') : '';
  const names: string[] = [];
  for (const name of path.slice(drive.length).split(windows ? /[\\/]/ : '/')) {
    if (name === '..') {
      names.pop();
    } else if (name !== '' && name !== '.') {
      names.push(name);
    }
  }
  const separator = windows ? '\\' : '/';
  return drive.replaceAll('/', separator) + separator + names.join(separator);
}

/** The last name of a path, of any system, and what stands above it. */
export function pathParts(path: string): { readonly above: string; readonly name: string } {
  const [, above = '', name = path] = /^(.*[/\\])([^/\\]+)[/\\]*$/s.exec(path) ?? [];
  return { above, name };
}
