import { metadataIn, type MetadataPatch, type ProcessMetadata } from '../metadata.js';
import type { ExitStatus } from './execEvents.js';

/** The numbers of the signals by which people end programs. They are the same on all systems. */
const NUMBERS: Readonly<Record<string, number>> = {
  SIGHUP: 1,
  SIGINT: 2,
  SIGQUIT: 3,
  SIGKILL: 9,
  SIGTERM: 15,
};

/** Shells, and programs that clean up after a signal, exit with this plus the signal's number. */
const EXIT_BY_SIGNAL = 128;

/**
 * The exit codes on Windows of a program that does not handle Ctrl-C (`STATUS_CONTROL_C_EXIT`), unsigned and signed.
 */
const ENDED_BY_CTRL_C: readonly number[] = [0xc000013a, 0xc000013a - 2 ** 32];

/**
 * The longest time from a signal to an end that counts as its effect, in milliseconds: enough to clean up. A program
 * that ran longer has survived the signal, and another signal of that name may have ended it.
 */
const EFFECT_MS = 60_000;

/**
 * The metadata of a signal that a person sends, or of Ctrl-C that a person types.
 *
 * @param at Milliseconds since 1970.
 */
export function signalledByPerson(signal: string, at: number): MetadataPatch {
  return { signalledBy: { kind: 'person', signal, at } };
}

/** Whether a person sent the last known signal, and that signal ended the process. */
export function endedByPersonsSignal({
  metadata,
  exit,
  exitedAt,
}: {
  readonly metadata: ProcessMetadata;
  readonly exit?: ExitStatus | undefined;
  /** Milliseconds since 1970. */
  readonly exitedAt?: number | undefined;
}): boolean {
  const said = metadataIn(metadata, 'signalledBy');
  if (exit === undefined || said?.kind !== 'person') {
    return false;
  }
  const { signal, at } = said;
  return at !== undefined && (exitedAt ?? at) - at <= EFFECT_MS && isEndBy(signal, exit);
}

/** Whether an agent, and not a person, sent the last known signal, and that signal ended the process. */
export function endedByAgentsSignal({
  metadata,
  exit,
}: {
  readonly metadata: ProcessMetadata;
  readonly exit?: ExitStatus | undefined;
}): boolean {
  const said = metadataIn(metadata, 'signalledBy');
  // Another signal, or no signal, means that the program survived this one.
  return said?.kind === 'agent' && exit?.signal === said.signal;
}

function isEndBy(signal: string, exit: ExitStatus): boolean {
  if (exit.signal !== undefined) {
    return exit.signal === signal;
  }
  const number = NUMBERS[signal];
  const byNumber = number !== undefined && exit.exitCode === EXIT_BY_SIGNAL + number;
  return byNumber || (signal === 'SIGINT' && ENDED_BY_CTRL_C.includes(exit.exitCode));
}
