import { readdirSync, readlinkSync } from 'node:fs';

import type { ProcessRow } from './processTable.js';

/**
 * The open files of a process's outputs, as Linux names them (`pipe:[123]`, `socket:[123]`, `/dev/pts/4`): other
 * processes that have the same file open keep it from ending. Empty elsewhere, and of a process that has ended.
 */
export function outputLinks(pid: number): ReadonlySet<string> {
  return linksOf(pid, [1, 2]);
}

/** The same of descriptors of this process that a child is about to get as its outputs. */
export function ownLinks(descriptors: readonly number[]): ReadonlySet<string> {
  return linksOf(process.pid, descriptors);
}

function linksOf(pid: number, descriptors: readonly number[]): ReadonlySet<string> {
  if (process.platform !== 'linux') {
    return new Set();
  }
  const links = descriptors.flatMap((fd) => readLink(pid, fd) ?? []);
  return new Set(links.filter((link) => link.includes(':[') || link.startsWith('/dev/pts/')));
}

/** The processes of `rows` that have one of these files open, without this process itself. */
export function holdersOf(links: ReadonlySet<string>, rows: readonly ProcessRow[]): ProcessRow[] {
  if (links.size === 0) {
    return [];
  }
  return rows.filter((row) => row.pid !== process.pid && openLinks(row.pid).some((link) => links.has(link)));
}

/** The open files of a process, as Linux names them. */
export function openLinks(pid: number): string[] {
  try {
    return readdirSync(`/proc/${pid}/fd`).flatMap((fd) => readLink(pid, Number(fd)) ?? []);
  } catch {
    return []; // It has ended, or belongs to another user.
  }
}

function readLink(pid: number, fd: number): string | undefined {
  try {
    return readlinkSync(`/proc/${pid}/fd/${fd}`);
  } catch {
    return undefined;
  }
}
