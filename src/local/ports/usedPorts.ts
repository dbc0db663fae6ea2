import { isIPv6, SocketAddress } from 'node:net';

import type { UsedPort } from '../../core/index.js';

/** The ports of some listening sockets, each once, lowest first. */
export function usedPorts(
  sockets: readonly { readonly port: number; readonly address: string }[],
): readonly UsedPort[] {
  const addresses = new Map<number, Set<string>>();
  for (const { port, address } of sockets) {
    addresses.set(port, (addresses.get(port) ?? new Set()).add(usualAddress(address)));
  }
  return [...addresses]
    .map(([port, found]) => ({ port, addresses: [...found].sort() }))
    .sort((one, other) => one.port - other.port);
}

/** Writes an address in its usual form. */
export function usualAddress(address: string): string {
  return isIPv6(address) ? new SocketAddress({ address, family: 'ipv6' }).address : address;
}
