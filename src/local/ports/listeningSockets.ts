import { type FileHandle, open } from 'node:fs/promises';
import path from 'node:path';

import { TCP_LISTEN, tcpAddress, tcpPort, tcpRow, type TcpRow } from '../../core/index.js';

/** A socket that listens. */
export interface ListeningSocket {
  readonly address: string;
  readonly port: number;
  /** The user who made it. */
  readonly uid: number;
  readonly inode: number;
}

const TABLES = ['net/tcp', 'net/tcp6'] as const;
/** Linux gives one page at a time, even if more is asked for. */
const READ_BYTES = 16 * 1024;

/**
 * The sockets that listen in the network namespace of this process. The kernel takes 1 to 2 ms to look through its
 * whole table of connections. Many connections do not make it slower: listening sockets come first, and the rest is not
 * read.
 *
 * @throws Error if the system has no such list, or it cannot be read now.
 */
export async function listeningSockets(proc = '/proc'): Promise<ListeningSocket[]> {
  const [four, six] = await Promise.all(TABLES.map((table) => listeningRows(path.join(proc, table))));
  if (four === undefined) {
    throw new Error(`The sockets that listen cannot be listed: there is no ${proc}/${TABLES[0]}`);
  }
  return [...four, ...(six ?? [])].map(({ local, uid, inode }) => ({
    address: tcpAddress(local),
    port: tcpPort(local),
    uid,
    inode,
  }));
}

/** @returns undefined if there is no such table: a machine may have no IPv6. */
async function listeningRows(file: string): Promise<TcpRow[] | undefined> {
  let handle: FileHandle;
  try {
    handle = await open(file);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') {
      return undefined;
    }
    throw error;
  }
  try {
    return await firstRows(handle);
  } finally {
    await handle.close();
  }
}

async function firstRows(handle: FileHandle): Promise<TcpRow[]> {
  const found: TcpRow[] = [];
  const buffer = Buffer.alloc(READ_BYTES);
  let rest = '';
  for (;;) {
    const { bytesRead } = await handle.read(buffer, 0, READ_BYTES, null);
    if (bytesRead === 0) {
      return found;
    }
    const lines = (rest + buffer.toString('latin1', 0, bytesRead)).split('\n');
    rest = lines.pop() ?? '';
    for (const line of lines) {
      const row = tcpRow(line);
      if (row !== undefined && row.state !== TCP_LISTEN) {
        return found;
      }
      if (row !== undefined) {
        found.push(row);
      }
    }
  }
}
