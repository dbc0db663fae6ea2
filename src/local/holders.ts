import { readdirSync, readlinkSync } from 'node:fs';

import type { ProcessRow } from './processTable.js';

/**
 * What the outputs of a process are connected to, as Linux names it (`pipe:[123]`, `socket:[123]`, `/dev/pts/4`): who
 * else has the same open keeps them from ending. Empty elsewhere.
 */
export function outputLinks(pid: number): ReadonlySet<string> {
  if (process.platform !== 'linux') {
    return new Set();
  }
  const links = [1, 2].flatMap((fd) => readLink(pid, fd) ?? []);
  return new Set(links.filter((link) => link.includes(':[') || link.startsWith('/dev/pts/')));
}

/** Those of `rows` that have one of these open, apart from this process itself. */
export function holdersOf(links: ReadonlySet<string>, rows: readonly ProcessRow[]): ProcessRow[] {
  if (links.size === 0) {
    return [];
  }
  return rows.filter((row) => row.pid !== process.pid && openLinks(row.pid).some((link) => links.has(link)));
}

function openLinks(pid: number): string[] {
  try {
    return readdirSync(`/proc/${pid}/fd`).flatMap((fd) => readLink(pid, Number(fd)) ?? []);
  } catch {
    return []; // It has ended, or is somebody else's.
  }
}

function readLink(pid: number, fd: number): string | undefined {
  try {
    return readlinkSync(`/proc/${pid}/fd/${fd}`);
  } catch {
    return undefined;
  }
}
