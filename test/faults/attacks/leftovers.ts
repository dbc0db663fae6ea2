import fs from 'node:fs';

import { listProcesses } from '../../../src/local/marks/processTable.js';
import { commandLine } from '../../support/processes.js';
import { inTime, type Tally } from './attack.js';

/** Waits until nothing runs any more in a folder in which everything was started; what stays is a fault. */
export async function untilNothingRuns(folder: string, name: string, tally: Tally): Promise<void> {
  let running: readonly number[] = [];
  const ended = (async () => {
    do {
      running = await runningIn(folder);
    } while (running.length > 0);
  })();
  if ((await inTime(ended)) === undefined) {
    tally.fault(`${name}: ${running.length} go on, one is \`${commandLine(running[0] ?? 0)}\``);
  }
}

/** The processes with that working directory, but for servers, which are started there as well. */
export async function runningIn(folder: string): Promise<readonly number[]> {
  const pids = (await listProcesses()).map(({ pid }) => pid);
  return pids.filter((pid) => isIn(folder, pid) && !commandLine(pid).includes('exec-server.js'));
}

function isIn(folder: string, pid: number): boolean {
  try {
    return fs.readlinkSync(`/proc/${pid}/cwd`) === folder;
  } catch {
    return false; // It has ended.
  }
}

/** The largest size of a process in memory so far. */
export function peakMiB(pid: number): number {
  const kibibytes = /^VmHWM:\s*(\d+)/m.exec(fs.readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1];
  return Math.round(Number(kibibytes) / 1024);
}
