import {
  type ExecProcess,
  metadataIn,
  oneLine,
  type ProcessInfo,
  quoteCommandLine,
  type SessionOrigin,
} from '../../core/index.js';
import type { Connected } from '../connected.js';

/** A session as the command line knows it: a process of a session server, and the facts in its metadata. */
export interface CliSession {
  /** Its number for its whole life, which agents use too. Other servers than session servers give none. */
  readonly number: number | undefined;
  readonly id: string;
  readonly title: string | undefined;
  readonly commandLine: string;
  readonly origin: SessionOrigin;
  readonly folder: string | undefined;
  /** Whether an agent has started it and no person has taken control. */
  readonly controlledByAgent: boolean;
  readonly info: ProcessInfo;
  readonly machine: Connected;
}

/** All sessions of some servers, in the order of their starts. */
export async function listSessions(machines: readonly Connected[]): Promise<readonly CliSession[]> {
  const lists = await Promise.all(
    machines.map(async (machine) => (await machine.backend.list()).map((info) => ({ info, machine }))),
  );
  return lists
    .flat()
    .filter(({ info }) => info.state !== 'starting')
    .sort((one, other) => order(one.info, other.info))
    .map(({ info, machine }) => sessionOf(info, machine));
}

/** Holds the process of a session while something is done with it. */
export async function withProcess<T>(
  { machine, info }: CliSession,
  work: (process: ExecProcess) => Promise<T>,
): Promise<T> {
  const process = await machine.backend.attach(info.processId);
  try {
    return await work(process);
  } finally {
    process.release();
  }
}

/** A session for a process that is known to be of one. */
function sessionOf(info: ProcessInfo, machine: Connected): CliSession {
  const { metadata, processId, argv } = info;
  const origin = metadataIn(metadata, 'origin');
  return {
    number: metadataIn(metadata, 'agent')?.number ?? metadataIn(metadata, 'number'),
    id: metadataIn(metadata, 'sessionId') ?? processId,
    title: metadataIn(metadata, 'title'),
    commandLine: metadataIn(metadata, 'commandLine') ?? quoteCommandLine(argv),
    origin,
    folder: metadataIn(metadata, 'folder'),
    controlledByAgent: origin.kind === 'agent' && metadataIn(metadata, 'controller') !== 'person',
    info,
    machine,
  };
}

export function isRunning({ info: { state } }: CliSession): boolean {
  return state === 'running';
}

/** The number for people, also of a session without one. */
export function numberText({ number }: CliSession): string {
  return number === undefined ? '-' : String(number);
}

/** The name for people: the title, or the command line. */
export function nameOf({ title, commandLine }: CliSession): string {
  return oneLine(title ?? commandLine);
}

function order(one: ProcessInfo, other: ProcessInfo): number {
  return one.startedAt - other.startedAt || (one.processId < other.processId ? -1 : 1);
}
