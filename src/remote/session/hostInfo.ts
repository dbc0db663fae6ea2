import type { HostInfo } from '../../core/index.js';
import { type EnvironmentInfo, pathFromUri, uriFromPath } from '../../protocol/index.js';

/** The most characters of a path, a shell or a platform that are believed: systems allow paths of 4,096 bytes. */
const MOST_CHARACTERS = 16 * 1024;

/**
 * The description of a server's machine, with paths in the form of that machine. Texts that are too long are left out.
 */
export function hostInfo(info: EnvironmentInfo | null | undefined): HostInfo {
  const platform = believed(info?.platformOs);
  const cwd = nativePath(believed(info?.cwd), platform);
  const homeDir = nativePath(believed(info?.userHomeDir), platform);
  const [name, path] = [believed(info?.shell?.name), believed(info?.shell?.path)];
  return {
    ...(platform !== undefined && { platform: nodeName(platform) }),
    ...(name !== undefined && path !== undefined && { shell: { name, path } }),
    ...(cwd !== undefined && { cwd }),
    ...(homeDir !== undefined && { homeDir }),
  };
}

function believed(text: string | null | undefined): string | undefined {
  return typeof text === 'string' && text.length <= MOST_CHARACTERS ? text : undefined;
}

/**
 * Reads a path from a server; it is a file: URI.
 *
 * @param platform The server's platform, by its name in Node or on the wire; undefined if the server does not give it.
 * @returns undefined if there is no valid path.
 */
export function nativePath(
  path: string | null | undefined,
  platform: string | undefined,
): string | undefined {
  if (path === undefined || path === null || path === '') {
    return undefined;
  }
  try {
    return pathFromUri(path, { platform: platform ?? guessPlatform(path) });
  } catch {
    return undefined;
  }
}

/** Writes a path for a server. A path that is not absolute stays as it is, and the server reports that. */
export function wirePath(path: string, { platform = guessPlatform(path) }: HostInfo): string {
  try {
    return uriFromPath(path, platform);
  } catch {
    return path;
  }
}

const NODE_NAMES: ReadonlyMap<string, string> = new Map([
  ['windows', 'win32'],
  ['macos', 'darwin'],
]);

/** Node's name of a platform, from its name on the wire. */
function nodeName(platform: string): string {
  return NODE_NAMES.get(platform) ?? platform;
}

/** Guesses the platform of a server that does not give it: drives and shares mean Windows. */
function guessPlatform(path: string): string {
  return /^(?:file:\/{2,3}[A-Za-z]:|file:\/\/[^/]|[A-Za-z]:[\\/]|\\\\)/i.test(path) ? 'win32' : 'linux';
}
