import { listProcesses } from '../marks/processTable.js';

/**
 * Signals that the keyboard sends. They go to the foreground group of the terminal, not to the shell that started it.
 */
const KEYBOARD_SIGNALS: ReadonlySet<string> = new Set(['SIGINT', 'SIGQUIT', 'SIGTSTP']);

/**
 * The process group that a signal is meant for.
 *
 * @param pid The leader of the session, and of the group that gets other signals.
 */
export async function groupFor(signal: string, pid: number, tty: boolean): Promise<number> {
  if (!KEYBOARD_SIGNALS.has(signal) || !tty) {
    return pid;
  }
  const rows = await listProcesses().catch(() => []);
  const leader = rows.find((row) => row.pid === pid);
  return leader !== undefined && leader.foregroundPgid > 1 ? leader.foregroundPgid : pid;
}
