import fs from 'node:fs';

import { killIfThere } from './killIfThere.js';
import { until } from './processes.js';

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
  for (const pid of sessionServersOf(folder)) {
    killIfThere(pid, 'SIGCONT');
    killIfThere(pid, signal);
  }
  await until(() => sessionServersOf(folder).length === 0);
}

/** The ids of the session servers with a socket in a folder. */
export function sessionServersOf(folder: string): readonly number[] {
  return fs.readdirSync('/proc').flatMap((name) => {
    const argv = /^\d+$/.test(name) ? argvOf(name) : [];
    const socket = argv[argv.indexOf('--socket') + 1];
    return argv.includes('sessions') && socket?.startsWith(`${folder}/`) === true ? [Number(name)] : [];
  });
}

function argvOf(pid: string): readonly string[] {
  try {
    return fs.readFileSync(`/proc/${pid}/cmdline`, 'utf8').split('\0');
  } catch {
    return [];
  }
}
