import { metadataIn, type MetadataPatch, type ProcessMetadata } from './metadata.js';
import type { ExitStatus } from './execEvents.js';

/** The numbers, everywhere the same, of the signals by which people end programs. */
const NUMBERS: Readonly<Record<string, number>> = {
  SIGHUP: 1,
  SIGINT: 2,
  SIGQUIT: 3,
  SIGKILL: 9,
  SIGTERM: 15,
};

/** Shells, and programs that clean up after a signal, exit with its number and this. */
const EXIT_BY_SIGNAL = 128;

/** What Windows makes of Ctrl-C where a program does not handle it (`STATUS_CONTROL_C_EXIT`), without and with a sign. */
const ENDED_BY_CTRL_C: readonly number[] = [0xc000013a, 0xc000013a - 2 ** 32];

/**
 * The longest time from a signal to the end that counts as its effect, in milliseconds: enough to clean up. A program that
 * has gone on for longer has lived through it, and another signal of that name may have ended it.
 */
const EFFECT_MS = 60_000;

/**
 * What is remembered with a process when a person sends it a signal, or types Ctrl-C.
 *
 * @param at Milliseconds since 1970.
 */
export function signalledByPerson(signal: string, at: number): MetadataPatch {
  return { signalledBy: { kind: 'person', signal, at } };
}

/** Whether the last signal that somebody is known to have sent came from a person, and has ended the process. */
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

/** Whether it has ended by the last signal that somebody is known to have sent, and that was no person but an agent. */
export function endedByAgentsSignal({
  metadata,
  exit,
}: {
  readonly metadata: ProcessMetadata;
  readonly exit?: ExitStatus | undefined;
}): boolean {
  const said = metadataIn(metadata, 'signalledBy');
  // Another signal, or none, means that the program lived through this one.
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
