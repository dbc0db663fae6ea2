import { readFile } from 'node:fs/promises';

import { identityKey, type ProcessIdentity, tcpPort, tcpPortText, tcpRow } from '../../core/index.js';
import { readRow, startTimeOf } from '../marks/processTable.js';
import { holdersAmong, holdersOnMachine } from './socketHolders.js';

/** The ports of a connection within this machine. */
interface ConnectionPorts {
  readonly localPort?: number | undefined;
  readonly remotePort?: number | undefined;
}

const TABLES = ['/proc/net/tcp', '/proc/net/tcp6'] as const;

/** The processes at the other ends of connections within this machine, where Linux lists them. */
export class TcpPeers {
  /** The processes found so far. They are checked first, since a client makes many connections. */
  readonly #found = new Map<string, ProcessIdentity>();

  /** @returns undefined if it cannot be found out: on other systems, or for a process of another user or container. */
  async of(ports: ConnectionPorts): Promise<ProcessIdentity | undefined> {
    try {
      const inode = await peerSocket(ports);
      return inode === undefined ? undefined : await this.#holderOf(inode);
    } catch {
      return undefined;
    }
  }

  /** Whether a process that was found has not ended. */
  runs(identity: ProcessIdentity): boolean {
    const runs = readRow(identity.pid)?.startTime === identity.startTime;
    if (!runs) {
      this.#found.delete(identityKey(identity));
    }
    return runs;
  }

  async #holderOf(inode: number): Promise<ProcessIdentity | undefined> {
    const inodes = new Set([inode]);
    const known = [...this.#found.values()].filter((identity) => this.runs(identity));
    const [holder] = holdersAmong(
      known.map(({ pid }) => pid),
      inodes,
    );
    // A child that has inherited the socket holds it too, and usually has the higher number.
    const pid = holder?.pid ?? (await holdersOnMachine(inodes))[0]?.pid;
    const startTime = pid === undefined ? undefined : startTimeOf(pid);
    if (pid === undefined || startTime === undefined) {
      return undefined;
    }
    const identity = { pid, startTime };
    this.#found.set(identityKey(identity), identity);
    return identity;
  }
}

/** The inode of the socket at the other end. */
async function peerSocket({ localPort, remotePort }: ConnectionPorts): Promise<number | undefined> {
  if (localPort === undefined || remotePort === undefined) {
    return undefined;
  }
  const theirs = tcpPortText(remotePort);
  for (const table of TABLES) {
    const text = await readFile(table, 'latin1').catch(() => '');
    for (const line of text.split('\n')) {
      const row = line.includes(theirs) ? tcpRow(line) : undefined;
      if (
        row !== undefined &&
        row.inode > 0 &&
        tcpPort(row.local) === remotePort &&
        tcpPort(row.remote) === localPort
      ) {
        return row.inode;
      }
    }
  }
  return undefined;
}
