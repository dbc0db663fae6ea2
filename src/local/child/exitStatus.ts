import { constants } from 'node:os';

import type { ExitStatus } from '../../core/index.js';
import { SIGNAL_NAMES } from '../stop/signals.js';

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
