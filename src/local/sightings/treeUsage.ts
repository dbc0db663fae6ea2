import type { Sighting } from '../../core/index.js';
import { inSlices, listProcesses } from '../marks/processTable.js';
import { listeningSockets } from '../ports/listeningSockets.js';
import { holdersAmong, type SocketHolder } from '../ports/socketHolders.js';
import { descendants } from '../stop/posixSession.js';
import { type Costs, costsOf } from '../usage.js';

/** The resources that trees of processes use. Open files are read only after a socket or a process has come or gone. */
export class TreeUsage {
  #key = '';
  /** The ports of sockets that listen, by their inodes; undefined if they cannot be listed. */
  #ports: ReadonlyMap<number, number> | undefined;
  #holders = new Map<number, readonly SocketHolder[]>();
  readonly #costs = new Map<number, Costs>();

  /** Looks at what each of some processes uses. */
  async look(pids: ReadonlySet<number>): Promise<void> {
    const sockets = await listeningSockets().catch(() => undefined);
    this.#ports = sockets && new Map(sockets.map(({ inode, port }) => [inode, port]));
    const inodes = new Set(this.#ports?.keys());
    const key = [...inodes, '', ...pids].join(' ');
    const isNew = key !== this.#key;
    this.#key = key;
    this.#costs.clear();
    const holders = isNew ? new Map<number, readonly SocketHolder[]>() : this.#holders;
    await inSlices(pids, (pid) => {
      const costs = costsOf(pid);
      if (costs !== undefined) {
        this.#costs.set(pid, costs);
      }
      if (isNew) {
        holders.set(pid, holdersAmong([pid], inodes));
      }
    });
    this.#holders = holders;
  }

  of(tree: readonly { readonly pid: number }[]): Pick<Sighting, 'cpuSeconds' | 'memoryBytes' | 'ports'> {
    const costs = tree.flatMap(({ pid }) => this.#costs.get(pid) ?? []);
    const sockets = tree.flatMap(({ pid }) => this.#holders.get(pid) ?? []);
    const ports = new Set(sockets.flatMap(({ inode }) => this.#ports?.get(inode) ?? []));
    return {
      cpuSeconds: costs.reduce((all, one) => all + one.cpuSeconds, 0),
      memoryBytes: costs.reduce((all, one) => all + one.memoryBytes, 0),
      ...(this.#ports && { ports: [...ports].sort((one, other) => one - other) }),
    };
  }
}

/**
 * The use of some processes and everything below them, in their order. `below` has the numbers of everything below.
 *
 * @throws Error if the processes cannot be listed.
 */
export async function lookAtTrees(
  roots: readonly { readonly pid: number }[],
): Promise<readonly (Pick<Sighting, 'memoryBytes' | 'ports'> & { readonly below: readonly number[] })[]> {
  const rows = roots.length === 0 ? [] : await listProcesses();
  const trees = roots.map((root) => [root, ...descendants(rows, new Set([root.pid]))]);
  const usage = new TreeUsage();
  await usage.look(new Set(trees.flat().map(({ pid }) => pid)));
  return trees.map((tree) => ({ ...usage.of(tree), below: tree.slice(1).map(({ pid }) => pid) }));
}
