import fs from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';

import { listProcesses } from '../../src/local/marks/processTable.js';
import { killIfThere } from './killIfThere.js';
import { until } from './until.js';

/**
 * Ends the session servers of this test run: those whose socket is in its XDG_RUNTIME_DIR. Resolves when they have gone.
 */
export async function endSessionServers(signal: NodeJS.Signals = 'SIGTERM'): Promise<void> {
  const folder = process.env['XDG_RUNTIME_DIR'];
  if (folder === undefined || process.env['EXEC_SESSIONS_RIG'] === undefined) {
    throw new Error('Session servers are ended only in a rig of their own.');
  }
  await endSessionServersIn(folder, signal);
}

/** Ends the session servers with a socket in a folder, stopped ones too. Resolves when they have gone. */
export async function endSessionServersIn(folder: string, signal: NodeJS.Signals = 'SIGTERM'): Promise<void> {
  const pids = sessionServersOf(folder);
  for (const pid of pids) {
    killIfThere(pid, 'SIGCONT');
    killIfThere(pid, signal);
  }
  await until(() => sessionServersOf(folder).length, 0);
  // One that is being killed has lost its arguments before its sockets.
  await until(
    () => pids,
    (seen) => seen.every((pid) => threadStates(pid).every((state) => state === 'Z')),
  );
}

/** The time for which a session server may end its sessions, in milliseconds. */
const END_LIMIT_MS = 20_000;

/** Ends the session servers of a rig, with their sessions. A server that does not end in time is left to the rig. */
export async function endServersIn(folder: string): Promise<void> {
  if (process.platform === 'win32') {
    return;
  }
  const limit = Date.now() + END_LIMIT_MS;
  for (const pid of await serversIn(folder)) {
    killIfThere(pid, 'SIGTERM');
  }
  while ((await serversIn(folder)).length > 0 && Date.now() < limit) {
    await delay(20);
  }
}

/** Linux lists only the names of programs, other systems have no /proc. */
async function serversIn(folder: string): Promise<readonly number[]> {
  return process.platform === 'linux'
    ? sessionServersOf(folder)
    : (await listProcesses())
        .filter(({ command }) => command.includes(` sessions --socket ${folder}/`))
        .map(({ pid }) => pid);
}

/** The ids of the session servers with a socket in a folder. */
export function sessionServersOf(folder: string): readonly number[] {
  return fs.readdirSync('/proc').flatMap((name) => {
    const argv = /^\d+$/.test(name) ? argvOf(name) : [];
    const socket = argv[argv.indexOf('--socket') + 1];
    return argv.includes('sessions') && socket?.startsWith(`${folder}/`) === true ? [Number(name)] : [];
  });
}

/** A letter for each thread of a process: the files of one are closed when all are zombies, or gone. */
function threadStates(pid: number): readonly string[] {
  try {
    const tasks = fs.readdirSync(`/proc/${pid}/task`);
    return tasks
      .map((task) => fs.readFileSync(`/proc/${pid}/task/${task}/stat`, 'latin1'))
      .map((stat) => stat.slice(stat.lastIndexOf(')') + 2, stat.lastIndexOf(')') + 3));
  } catch {
    // A thread has gone meanwhile, or all of it.
    return fs.existsSync(`/proc/${pid}/task`) ? ['?'] : [];
  }
}

function argvOf(pid: string): readonly string[] {
  try {
    return fs.readFileSync(`/proc/${pid}/cmdline`, 'utf8').split('\0');
  } catch {
    return [];
  }
}
