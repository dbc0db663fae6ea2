import { readdirSync, readlinkSync, statSync } from 'node:fs';

import type { ProcessRow } from '../marks/processTable.js';

/** The place of Linux' terminals. Each container may have a folder of its own there. */
const TERMINALS = '/dev/pts/';

/**
 * The open files of a process's outputs, as Linux names them (`pipe:[123]`, `socket:[123]`); a terminal also has the
 * number of its file system. Other processes that have the same file open keep the output from ending. Empty on other
 * systems, and for a process that has ended.
 */
export function outputLinks(pid: number): ReadonlySet<string> {
  return linksOf(pid, [1, 2]);
}

/** The same for descriptors of this process that a child is about to get as its outputs. */
export function ownLinks(descriptors: readonly number[]): ReadonlySet<string> {
  return linksOf(process.pid, descriptors);
}

/** The same for the program's side of a terminal, by its path. */
export function terminalLinks(file: string): ReadonlySet<string> {
  return process.platform === 'linux' ? new Set([withFileSystem(file, file)]) : new Set();
}

function linksOf(pid: number, descriptors: readonly number[]): ReadonlySet<string> {
  if (process.platform !== 'linux') {
    return new Set();
  }
  const links = descriptors.flatMap((fd) => readOutput(pid, fd) ?? []);
  return new Set(links.filter((link) => link.includes(':[') || link.startsWith(TERMINALS)));
}

/** The processes of `rows` that have one of these files open, without this process itself. */
export function holdersOf(links: ReadonlySet<string>, rows: readonly ProcessRow[]): ProcessRow[] {
  if (links.size === 0) {
    return [];
  }
  return rows.filter((row) => row.pid !== process.pid && holds(row.pid, links));
}

/** Whether a process has one of these files open. */
export function holds(pid: number, links: ReadonlySet<string>): boolean {
  return readAll(pid, readOutput).some((link) => links.has(link));
}

/** The open files of a process, as Linux names them. */
export function openLinks(pid: number): string[] {
  return readAll(pid, readLink);
}

function readAll(pid: number, read: typeof readLink): string[] {
  try {
    return readdirSync(`/proc/${pid}/fd`).flatMap((fd) => read(pid, Number(fd)) ?? []);
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

/** The open file of a descriptor of a process, as {@link outputLinks} names it. */
export function readOutput(pid: number, fd: number): string | undefined {
  const link = readLink(pid, fd);
  return link?.startsWith(TERMINALS) === true ? withFileSystem(link, `/proc/${pid}/fd/${fd}`) : link;
}

/** The name of a terminal alone is not enough: a container's terminals may have the same names. */
function withFileSystem(name: string, file: string): string {
  return `${name} ${statSync(file, { throwIfNoEntry: false })?.dev ?? ''}`;
}
