import type { HostInfo } from '../../core/index.js';
import { type EnvironmentInfo, pathFromUri } from '../../protocol/index.js';

/** What a server says of its machine, with that machine's own paths. */
export function hostInfo(info: EnvironmentInfo | undefined): HostInfo {
  const platform = info?.platformOs ?? undefined;
  const cwd = nativePath(info?.cwd, platform);
  const homeDir = nativePath(info?.userHomeDir, platform);
  return {
    ...(platform !== undefined && { platform: nodeName(platform) }),
    ...(info?.shell && { shell: { name: info.shell.name, path: info.shell.path } }),
    ...(cwd !== undefined && { cwd }),
    ...(homeDir !== undefined && { homeDir }),
  };
}

/**
 * The path that a server names; it may be a file: URI or, of an old one, a path.
 *
 * @param platform The server's, as Node or the wire calls it; undefined if it does not say.
 */
export function nativePath(
  path: string | null | undefined,
  platform: string | undefined,
): string | undefined {
  if (path === undefined || path === null || path === '') {
    return undefined;
  }
  try {
    return pathFromUri(path, { platform: platform ?? guessPlatform(path), allowNative: true });
  } catch {
    return undefined;
  }
}

const NODE_NAMES: ReadonlyMap<string, string> = new Map([
  ['windows', 'win32'],
  ['macos', 'darwin'],
]);

/** Node's name of a platform, of which the wire has another one. */
function nodeName(platform: string): string {
  return NODE_NAMES.get(platform) ?? platform;
}

/** Of a server that does not say where it runs: drives and shares are Windows. */
export function guessPlatform(path: string): string {
  return /^(?:file:\/{2,3}[A-Za-z]:|file:\/\/[^/]|[A-Za-z]:[\\/]|\\\\)/i.test(path) ? 'win32' : 'linux';
}
