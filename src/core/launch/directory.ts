import type { HostInfo } from '../index.js';

/**
 * Paths of another machine. Nothing here asks this one: neither what its separator is, nor whether a directory exists.
 */

/** Whether a path needs no directory to start from, on whatever machine; `~` is somebody's home there. */
export function isAbsoluteThere(path: string): boolean {
  return /^(?:[\\/]|[A-Za-z]:[\\/]|~(?:$|[\\/]))/.test(path);
}

/** Whether it is Windows; of a server that does not say so its own paths tell. */
export function isWindowsThere({ platform, cwd, homeDir, shell }: HostInfo): boolean {
  return platform === undefined
    ? [cwd, homeDir, shell?.path].some((path) => /^(?:[A-Za-z]:[\\/]|\\\\)/.test(path ?? ''))
    : platform === 'win32';
}

/**
 * The directory that a command starts in: a whole path of the machine that it runs on, without `.` and `..`.
 *
 * @param wanted The directories that were asked for, the first choice first; each may be relative to the next one.
 * @returns undefined if that would be in a home directory which is not known.
 */
export function directoryThere(wanted: readonly (string | undefined)[], host: HostInfo): string | undefined {
  const windows = isWindowsThere(host);
  const usual = [host.cwd, host.homeDir, windows ? 'C:\\' : '/'];
  const candidates = [...wanted, ...usual].filter((path) => path !== undefined && path !== '');
  let relative = '';
  for (const candidate of candidates) {
    const path = `${candidate ?? ''}/${relative}`;
    if (isAbsoluteThere(path)) {
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

/** A drive, or the name of a shared folder. */
const WINDOWS_DRIVE = /^(?:[A-Za-z]:|[\\/]{2}[^\\/]+[\\/]+[^\\/]+)/;

/** A whole path in the spelling of its machine. `..` takes away the name before it, as in the `cd` of shells. */
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
