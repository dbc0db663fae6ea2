import type { Sighting } from '../../core/index.js';
import { listeningSockets } from '../ports/listeningSockets.js';
import { holdersAmong, type SocketHolder } from '../ports/socketHolders.js';
import { costsFromProc } from '../usage.js';

/** What trees of processes use. Open files are read only after a socket or a process has come or gone. */
export class TreeUsage {
  #key = '';
  /** The ports of sockets that listen, by their inodes; undefined if they cannot be listed. */
  #ports: ReadonlyMap<number, number> | undefined;
  #holders: readonly SocketHolder[] = [];

  /** Looks at the ports of some processes. */
  async look(pids: ReadonlySet<number>): Promise<void> {
    const sockets = await listeningSockets().catch(() => undefined);
    this.#ports = sockets && new Map(sockets.map(({ inode, port }) => [inode, port]));
    const key = [...(this.#ports?.keys() ?? []), '', ...pids].join(' ');
    if (key !== this.#key) {
      this.#key = key;
      this.#holders = holdersAmong(pids, new Set(this.#ports?.keys()));
    }
  }

  of(tree: readonly { readonly pid: number }[]): Pick<Sighting, 'cpuSeconds' | 'memoryBytes' | 'ports'> {
    const pids = new Set(tree.map(({ pid }) => pid));
    const costs = costsFromProc([...pids]);
    const ports = this.#holders.flatMap(({ pid, inode }) =>
      pids.has(pid) ? (this.#ports?.get(inode) ?? []) : [],
    );
    return {
      cpuSeconds: costs.reduce((all, one) => all + one.cpuSeconds, 0),
      memoryBytes: costs.reduce((all, one) => all + one.memoryBytes, 0),
      ...(this.#ports && { ports: [...new Set(ports)].sort((one, other) => one - other) }),
    };
  }
}
