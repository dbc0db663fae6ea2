import { badRequest } from './httpError.js';

/** @throws WireError in the real server's words, if this is not what can be asked for. */
export function requestUrl(text: string): URL {
  if (!URL.canParse(text)) {
    throw badRequest(`url is invalid: ${faultOf(text)}`);
  }
  const url = new URL(text);
  if (url.protocol !== 'http:' && url.protocol !== 'https:') {
    throw badRequest(`only supports http and https URLs, got ${url.protocol.slice(0, -1)}`);
  }
  return url;
}

function faultOf(text: string): string {
  const { rest } = /^\s*[a-z][a-z0-9+.-]*:(?<rest>.*)$/is.exec(text)?.groups ?? {};
  if (rest === undefined) {
    return 'relative URL without a base';
  }
  const authority = rest.replace(/^[/\\]*/, '').split(/[/\\?#]/)[0] ?? '';
  const host = authority.slice(authority.lastIndexOf('@') + 1);
  if (host === '' || host.startsWith(':')) {
    return 'empty host';
  }
  if (host.startsWith('[') && !/^\[[0-9a-f:.]+\]/i.test(host)) {
    return 'invalid IPv6 address';
  }
  const port = /:([^:\]]*)$/.exec(host)?.[1];
  if (port !== undefined && !(/^\d+$/.test(port) && Number(port) <= 0xffff)) {
    return 'invalid port number';
  }
  return 'invalid international domain name';
}

/** For errors: what a URL has of a password is nobody's business. */
export function withoutCredentials(url: URL): string {
  const shown = new URL(url);
  shown.username = '';
  shown.password = '';
  return shown.href;
}
