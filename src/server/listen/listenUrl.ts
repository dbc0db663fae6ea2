import { BlockList, isIP } from 'node:net';

import { StartError } from './startError.js';

/** The place at which a server listens. */
export type ListenAddress =
  | { readonly kind: 'websocket'; readonly host: string; readonly port: number }
  | { readonly kind: 'stdio' }
  | { readonly kind: 'unix'; readonly path: string };

const EXPECTED = 'expected `ws://IP:PORT`, `stdio` or `unix:PATH`';
const UNIX = 'unix:';
const LARGEST_PORT = 65_535;

/** @throws StartError */
export function parseListenUrl(url: string): ListenAddress {
  if (url === 'stdio' || url === 'stdio://') {
    return { kind: 'stdio' };
  }
  if (url.startsWith(UNIX) && url.length > UNIX.length) {
    return { kind: 'unix', path: url.slice(UNIX.length) };
  }
  if (!url.startsWith('ws://')) {
    throw new StartError(`unsupported --listen URL \`${url}\`; ${EXPECTED}`);
  }
  // Only addresses, no names: a name can get another address, and other machines could then reach the server.
  const [, ip6, ip4, digits] = /^ws:\/\/(?:\[([^\]]*)\]|([^:]*)):(\d+)$/.exec(url) ?? [];
  const host = ip6 ?? ip4 ?? '';
  const port = Number(digits);
  if (isIP(host) !== (ip6 === undefined ? 4 : 6) || !(port <= LARGEST_PORT)) {
    throw new StartError(`invalid websocket --listen URL \`${url}\`; expected \`ws://IP:PORT\``);
  }
  return { kind: 'websocket', host, port };
}

export function webSocketUrl(host: string, port: number): string {
  return isIP(host) === 6 ? `ws://[${host}]:${port}` : `ws://${host}:${port}`;
}

/** Whether an address can be reached from this machine only. */
export function isLoopback(host: string): boolean {
  const loopback = new BlockList();
  loopback.addSubnet('127.0.0.0', 8, 'ipv4');
  loopback.addAddress('::1', 'ipv6');
  // The block list also recognizes IPv4 addresses that are written as IPv6 ones.
  return loopback.check(host, isIP(host) === 6 ? 'ipv6' : 'ipv4');
}
