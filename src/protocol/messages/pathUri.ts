import { excerpt, WireCode, WireError } from './errors.js';

interface PathUriOptions {
  /** The platform of the path's machine, by its name in Node or on the wire; by default this machine. */
  readonly platform?: string;
  /**
   * Whether the path is a working directory. If it belongs to another kind of machine, the parameters are at fault and
   * not the request; the two have different error codes.
   */
  readonly cwd?: boolean;
}

/**
 * Converts a file: URI to a path of a machine.
 *
 * @throws WireError if the URI names no path there.
 */
export function pathFromUri(uri: string, options: PathUriOptions = {}): string {
  const system = systemName(options.platform ?? process.platform);
  const url = parseUri(uri);
  const path = system === 'windows' ? windowsPath(url) : posixPath(url);
  if (path === undefined) {
    const code = options.cwd === true ? WireCode.invalidParams : WireCode.invalidRequest;
    throw new WireError(code, `'${url.href}' is invalid on '${system}'`);
  }
  if (path.includes('\0')) {
    throw invalid(`'${url.href}' is invalid on '${system}'`);
  }
  return path;
}

/**
 * Converts an absolute path to a file: URI.
 *
 * @param platform The platform of the path's machine, by its name in Node or on the wire.
 * @throws WireError if the path is not absolute.
 */
export function uriFromPath(path: string, platform: string = process.platform): string {
  const system = systemName(platform);
  if (!isNativePath(path, system)) {
    throw new WireError(WireCode.invalidParams, `'${path}' is not an absolute path on '${system}'`);
  }
  return system === 'windows' ? windowsUri(path) : `file://${encodePath(path)}`;
}

const WIRE_NAMES: ReadonlyMap<string, string> = new Map([
  ['win32', 'windows'],
  ['darwin', 'macos'],
]);

/** The name of a platform on the wire. */
function systemName(platform: string): string {
  return WIRE_NAMES.get(platform) ?? platform;
}

const DRIVE_PATH = /^[A-Za-z]:[\\/]/;
const SHARE_PATH = /^[\\/]{2}[^\\/]+[\\/]+[^\\/]/;

function isNativePath(path: string, system: string): boolean {
  return system === 'windows' ? DRIVE_PATH.test(path) || SHARE_PATH.test(path) : path.startsWith('/');
}

function parseUri(uri: string): URL {
  const url = URL.canParse(uri) ? new URL(uri) : undefined;
  if (url === undefined) {
    throw invalid(`invalid URI: ${excerpt(uri)} is not a URI; a path has to be one such as file:///tmp`);
  }
  if (url.protocol !== 'file:') {
    throw invalid(`unsupported path URI scheme: ${excerpt(uri)} has to begin with file:`);
  }
  // An empty query or fragment counts as well, and only `href` shows it.
  if (/[?#]/.test(url.href)) {
    throw invalid(`${excerpt(uri)} names no file: a path has no query and no fragment`);
  }
  return url;
}

function invalid(message: string): WireError {
  return new WireError(WireCode.invalidParams, message);
}

const DRIVE = /^\/([A-Za-z])(?::|%3a)(?=\/|$)/i;

function posixPath(url: URL): string | undefined {
  if (url.hostname !== '' || DRIVE.test(url.pathname)) {
    return undefined;
  }
  const path = decodeEscapes(url.pathname);
  return path === undefined ? undefined : `/${withoutEnd(path.replace(/^\/+/, ''), '/')}`;
}

function windowsPath(url: URL): string | undefined {
  const drive = DRIVE.exec(url.pathname);
  if (url.hostname === '' ? drive === null : drive !== null) {
    return undefined;
  }
  // An escaped separator is part of a name, and names on Windows cannot contain one.
  if (/%2f|%5c/i.test(url.pathname)) {
    return undefined;
  }
  const path = decodeEscapes(url.pathname)?.replaceAll('/', '\\');
  if (path === undefined) {
    return undefined;
  }
  if (url.hostname !== '') {
    const share = withoutEnd(path, '\\');
    return share === '' ? undefined : `\\\\${url.hostname}${share}`;
  }
  const rest = withoutEnd(path.slice(1), '\\');
  return rest.length === 2 ? `${rest}\\` : rest;
}

/** Removes all separators at the end. A regular expression would retry at each separator in the middle. */
function withoutEnd(path: string, separator: string): string {
  let end = path.length;
  while (path.charAt(end - 1) === separator) {
    end -= 1;
  }
  return path.slice(0, end);
}

/** Decodes percent escapes; malformed ones stay. Undefined if the bytes are not valid UTF-8. */
function decodeEscapes(path: string): string | undefined {
  try {
    return decodeURIComponent(path.replace(/%(?![0-9a-f]{2})/gi, '%25'));
  } catch {
    return undefined;
  }
}

function windowsUri(path: string): string {
  const plain = path
    .replaceAll('/', '\\')
    .replace(/^\\\\\?\\UNC\\/i, '\\\\')
    .replace(/^\\\\\?\\/, '');
  const slashes = plain.replaceAll('\\', '/');
  const drive = /^[A-Za-z]:/.exec(slashes)?.[0];
  if (drive !== undefined) {
    return `file:///${drive}${encodePath(slashes.slice(drive.length))}`;
  }
  const [host = '', ...rest] = slashes.replace(/^\/+/, '').split('/');
  return `file://${host}/${encodePath(rest.join('/'))}`;
}

function encodePath(path: string): string {
  return path.split('/').map(encodeURIComponent).join('/');
}
