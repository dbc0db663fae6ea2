import { readdirSync, readFileSync, readlinkSync } from 'node:fs';

import { listProcesses, type ProcessRow } from '../../src/local/processTable.js';

/** Everything that runs in the POSIX session that a process leads or led. */
export async function sessionMembers(sid: number): Promise<ProcessRow[]> {
  return (await listProcesses()).filter((row) => row.sid === sid);
}

/** Resolves once a condition holds; it is looked at again and again, the test's own time limit is the limit. */
export async function until(condition: () => boolean | Promise<boolean>): Promise<void> {
  while (!(await condition())) {
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
}

/** Whether there is such a process, other than a zombie. */
export async function isRunning(pid: number): Promise<boolean> {
  return (await listProcesses()).some((row) => row.pid === pid);
}

/** What a process has open, by descriptor: `/dev/ptmx`, `pipe:[123]` and so on. */
export function openFiles(pid: number): Map<number, string> {
  const open = new Map<number, string>();
  for (const name of readdirSync(`/proc/${pid}/fd`)) {
    try {
      open.set(Number(name), readlinkSync(`/proc/${pid}/fd/${name}`));
    } catch {
      // The descriptor that the listing itself used.
    }
  }
  return open;
}

/** The arguments of a process, separated by spaces; empty if there is none such. */
export function commandLine(pid: number): string {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ');
  } catch {
    return '';
  }
}
