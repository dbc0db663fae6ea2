import { constants } from 'node:os';

import type { ExitStatus } from '../../core/index.js';
import { listProcesses } from '../marks/processTable.js';

/** The names of the signals of this machine, `SIGTERM` and so on; an exit can be due to each. */
export const SIGNAL_NAMES = Object.keys(constants.signals) as NodeJS.Signals[];

/**
 * The signals that can be sent to a process. Windows has no signals: an interrupt is Ctrl-C in a terminal, and a kill
 * ends by force. For other signals Node would end a process by force and report success.
 */
export function sendableSignals(platform = process.platform): readonly NodeJS.Signals[] {
  return platform === 'win32' ? ['SIGINT', 'SIGKILL'] : SIGNAL_NAMES;
}

/** The exit status as shells report it: the code, or 128 + n with the signal's name if signal n ended the process. */
export function exitStatus(
  code: number | null,
  signal: NodeJS.Signals | number | null | undefined,
): ExitStatus {
  if (signal === null || signal === undefined || signal === 0) {
    return { exitCode: code ?? -1 };
  }
  const number = typeof signal === 'number' ? signal : constants.signals[signal];
  return { exitCode: 128 + number, signal: typeof signal === 'number' ? signalName(signal) : signal };
}

function signalName(number: number): string {
  // Some numbers have two names (SIGABRT and SIGIOT, SIGIO and SIGPOLL); the first is the usual one.
  return SIGNAL_NAMES.find((name) => constants.signals[name] === number) ?? `signal ${number}`;
}

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
