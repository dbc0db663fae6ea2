import { WireCode, WireError } from './errors.js';

export interface PathUriOptions {
  /** The machine that the path is for: a name that Node or the wire has for it. This one by default. */
  readonly platform?: string;
  /** Takes an absolute path of that machine as well, as servers of before June 2026 do. */
  readonly allowNative?: boolean;
  /** Says what the real server says of a working directory rather than of a file. */
  readonly cwd?: boolean;
}

/**
 * The path that a file: URI names on a machine.
 *
 * @throws WireError what the real server says of a URI that names none.
 */
export function pathFromUri(uri: string, options: PathUriOptions = {}): string {
  const system = systemName(options.platform ?? process.platform);
  if (options.allowNative === true && isNativePath(uri, system)) {
    return uri;
  }
  const url = parseUri(uri);
  const path = system === 'windows' ? windowsPath(url) : posixPath(url);
  if (path === undefined) {
    throw foreign(url.href, system, options.cwd === true);
  }
  if (path.includes('\0')) {
    throw new WireError(WireCode.invalidParams, `'${url.href}' is invalid on '${system}'`);
  }
  return path;
}

/**
 * The file: URI of an absolute path.
 *
 * @param platform The machine whose path it is: a name that Node or the wire has for it.
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

/** The wire's name of a platform. */
function systemName(platform: string): string {
  return WIRE_NAMES.get(platform) ?? platform;
}

const DRIVE_PATH = /^[A-Za-z]:[\\/]/;
const SHARE_PATH = /^[\\/]{2}[^\\/]+[\\/]+[^\\/]/;

function isNativePath(path: string, system: string): boolean {
  return system === 'windows' ? DRIVE_PATH.test(path) || SHARE_PATH.test(path) : path.startsWith('/');
}

function parseUri(uri: string): URL {
  let url: URL;
  try {
    url = new URL(uri);
  } catch {
    const trimmed = uri.replace(/[\t\n\r]+/g, '').trimStart();
    const hasScheme = /^[a-z][a-z0-9+.-]*:/i.test(trimmed);
    throw invalid(
      `invalid URI: ${hasScheme ? 'invalid international domain name' : 'relative URL without a base'}`,
    );
  }
  if (url.protocol !== 'file:') {
    throw invalid(`unsupported path URI scheme \`${url.protocol.slice(0, -1)}\``);
  }
  // An empty query or fragment is one as well, and only `href` shows it.
  const fragment = url.href.indexOf('#');
  if (url.href.slice(0, fragment === -1 ? undefined : fragment).includes('?')) {
    throw invalid('query parameters are not allowed in path URIs');
  }
  if (fragment !== -1) {
    throw invalid('fragments are not allowed in path URIs');
  }
  return url;
}

function invalid(message: string): WireError {
  return new WireError(WireCode.invalidParams, message);
}

function foreign(uri: string, system: string, cwd: boolean): WireError {
  const what = `'${uri}' is invalid on '${system}'`;
  return cwd
    ? invalid(`cwd URI \`${uri}\` is not valid on this exec-server host: ${what}`)
    : new WireError(WireCode.invalidRequest, what);
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
  // A separator that was escaped is part of a name, and no name on Windows can have one.
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

/** Takes a separator away from the end, however often it is there. A pattern would try again at each in the middle. */
function withoutEnd(path: string, separator: string): string {
  let end = path.length;
  while (path.charAt(end - 1) === separator) {
    end -= 1;
  }
  return path.slice(0, end);
}

/** Replaces percent escapes; those that are none stay. Undefined if the bytes are no text. */
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
