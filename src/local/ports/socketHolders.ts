import { readdirSync, readlinkSync } from 'node:fs';

import { forEachPid } from '../marks/processTable.js';

/** A process that has a socket open. */
export interface SocketHolder {
  readonly pid: number;
  readonly inode: number;
  readonly fd: string;
}

const SOCKET_LINK = /^socket:\[(\d+)\]$/;

/** The visible holders of these sockets among some processes. */
export function holdersAmong(pids: Iterable<number>, inodes: ReadonlySet<number>): SocketHolder[] {
  return [...pids].flatMap((pid) => holdersIn(pid, inodes));
}

/**
 * The holders of these sockets on the whole machine, in the order of their numbers. It reads the open files of each
 * process, in slices.
 *
 * @throws Error if the processes cannot be listed.
 */
export async function holdersOnMachine(inodes: ReadonlySet<number>): Promise<SocketHolder[]> {
  const found: SocketHolder[] = [];
  await forEachPid((pid) => void found.push(...holdersIn(pid, inodes)));
  return found.sort((one, other) => one.pid - other.pid);
}

/** Whether the process still holds the socket: one look at one link. */
export function holdsStill({ pid, fd, inode }: SocketHolder): boolean {
  return socketAt(pid, fd) === inode;
}

function holdersIn(pid: number, inodes: ReadonlySet<number>): SocketHolder[] {
  let fds: string[];
  try {
    fds = readdirSync(`/proc/${pid}/fd`);
  } catch {
    return []; // It has ended, or belongs to another user.
  }
  return fds.flatMap((fd) => {
    const inode = socketAt(pid, fd);
    return inode !== undefined && inodes.has(inode) ? [{ pid, inode, fd }] : [];
  });
}

function socketAt(pid: number, fd: string): number | undefined {
  try {
    const inode = SOCKET_LINK.exec(readlinkSync(`/proc/${pid}/fd/${fd}`))?.[1];
    return inode === undefined ? undefined : Number(inode);
  } catch {
    return undefined;
  }
}
