import { execFile } from 'node:child_process';
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

/**
 * The ports at which these processes listen, for systems without Linux' list; macOS includes lsof.
 *
 * @throws Error if there is no lsof, or it cannot see the processes of others.
 */
export function lsofPorts(pids: readonly number[]): Promise<readonly UsedPort[]> {
  const args = ['-nP', '-w', '-a', '-iTCP', '-sTCP:LISTEN', '-Fn', '-p', pids.join(',')];
  return new Promise((resolve, reject) => {
    execFile('lsof', args, (error, stdout) => {
      // It exits with 1 if one of the processes has no such socket, or has ended.
      if (error === null || error.code === 1) {
        resolve(parseLsof(stdout));
      } else {
        reject(new Error(error.message, { cause: error }));
      }
    });
  });
}

/** A line that names a socket: `n*:3000`, `n127.0.0.1:3000`, `n[::1]:3000`. */
const NAME = /^n(.+):(\d+)$/;

/** Exported for its test. */
export function parseLsof(text: string): readonly UsedPort[] {
  return usedPorts(
    text.split('\n').flatMap((line) => {
      const [, address, port] = NAME.exec(line) ?? [];
      return address === undefined ? [] : [{ port: Number(port), address: plain(address) }];
    }),
  );
}

/** The address before the port, without brackets. A star stands for every address. */
function plain(address: string): string {
  return address === '*' ? '::' : address.replace(/^\[(.*)\]$/, '$1');
}
