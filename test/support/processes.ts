import { readdirSync, readFileSync, readlinkSync } from 'node:fs';

import { listProcesses, type ProcessRow } from '../../src/local/marks/processTable.js';

/** All running processes of the POSIX session that a process leads or led. */
export async function sessionMembers(sid: number): Promise<ProcessRow[]> {
  return (await listProcesses()).filter((row) => row.sid === sid);
}

/** Whether a process exists and is no zombie. */
export async function isRunning(pid: number): Promise<boolean> {
  return (await listProcesses()).some((row) => row.pid === pid);
}

/** The processes whose environment has all of these variables, each as `NAME=value`. */
export function processesWith(...variables: readonly string[]): number[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .filter((pid) => {
      try {
        const environment = readFileSync(`/proc/${pid}/environ`, 'utf8').split('\0');
        return variables.every((variable) => environment.includes(variable));
      } catch {
        return false;
      }
    })
    .map(Number);
}

/** The processes that were started with a text in their command line. */
export function processesNaming(text: string): number[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map(Number)
    .filter((pid) => pid !== process.pid && commandLine(pid).includes(text));
}

/** The open files of a process by descriptor: `/dev/ptmx` or `pipe:[123]`, for example. */
export function openFiles(pid: number): Map<number, string> {
  const open = new Map<number, string>();
  for (const name of readdirSync(`/proc/${pid}/fd`)) {
    try {
      open.set(Number(name), readlinkSync(`/proc/${pid}/fd/${name}`));
    } catch {
      // This was the descriptor of the listing itself.
    }
  }
  return open;
}

/** The files in a folder that this process has open, by their paths; empty where the system does not tell them. */
export function ownOpenFiles(folder: string): string[] {
  return process.platform === 'linux'
    ? [...openFiles(process.pid).values()].filter((file) => file.startsWith(`${folder}/`))
    : [];
}

/** The arguments of a process, separated by spaces; empty if it does not exist. */
export function commandLine(pid: number): string {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ');
  } catch {
    return '';
  }
}
