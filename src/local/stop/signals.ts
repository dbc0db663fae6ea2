import { constants } from 'node:os';

/** The names of the signals of this machine, `SIGTERM` and so on; an exit can be due to each. */
export const SIGNAL_NAMES = Object.keys(constants.signals) as NodeJS.Signals[];

/**
 * The signals that can be sent to a process. Windows has no signals: an interrupt is Ctrl-C in a terminal, and a kill
 * ends by force. For other signals Node would end a process by force and report success.
 */
export function sendableSignals(platform = process.platform): readonly NodeJS.Signals[] {
  return platform === 'win32' ? ['SIGINT', 'SIGKILL'] : SIGNAL_NAMES;
}
