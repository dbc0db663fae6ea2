import type { CliSession } from '../sessions/cliSession.js';
import {
  type EndedReceipt,
  type ExitStatus,
  type Forgotten,
  plainJson,
  type Sighting,
  type Survivor,
} from '../../core/index.js';
import type { Leftover } from '../../machine/index.js';

/** The version of the shapes. Keys may be added to a version; none is removed or means something else. */
const VERSION = 1;

/**
 * The sessions as JSON in one line, in the shape that docs/command-line.md documents. Times are ISO 8601 in UTC.
 *
 * @param incomplete Whether there is a server that cannot be reached.
 * @param others The processes that are no sessions, if they are wanted.
 */
export function sessionsJson(
  sessions: readonly CliSession[],
  incomplete: boolean,
  others?: readonly Sighting[],
): string {
  return plainJson({
    version: VERSION,
    incomplete,
    sessions: sessions.map(sessionShape),
    others: others?.map(otherShape),
  });
}

function otherShape({ startedAt, end, ...other }: Sighting): object {
  const ended = { endedAt: optionalTime(end?.at), exitCode: end?.exitCode ?? null };
  return { ...other, startedAt: optionalTime(startedAt), ...ended };
}

/** A forgotten process, and what became of it. */
export interface Swept extends Forgotten {
  readonly outcome: 'left' | 'ended';
  /** The processes of its tree that still run, if it should have ended. */
  readonly survivors: readonly Survivor[];
}

/** Forgotten processes as JSON in one line, in the shape that docs/command-line.md documents. */
export function cleanupJson(processes: readonly Swept[]): string {
  return plainJson({
    version: VERSION,
    processes: processes.map((one) => ({ ...one, startedAt: optionalTime(one.startedAt) })),
  });
}

function sessionShape({ number, id, title, commandLine, origin, folder, info }: CliSession): object {
  const { argv, cwd, tty, sandbox, state, pid, startedAt, exitedAt, exit, output } = info;
  return {
    id,
    number: number ?? null,
    title: title ?? null,
    commandLine,
    argv,
    cwd,
    tty,
    sandbox: sandbox ?? null,
    state,
    pid: pid ?? null,
    startedAt: timeText(startedAt),
    exitedAt: optionalTime(exitedAt),
    exitCode: exit?.exitCode ?? null,
    signal: exit?.signal ?? null,
    refused: refusedShape(exit),
    origin: { ...origin, name: origin.name ?? null },
    folder: folder ?? null,
    outputBytes: output.bytes,
  };
}

/** Receipts as JSON in one line, in the shape that docs/command-line.md documents. Times are ISO 8601 in UTC. */
export function receiptsJson(receipts: readonly EndedReceipt[]): string {
  return plainJson({ version: VERSION, receipts: receipts.map(receiptShape) });
}

/** The same of leftovers. */
export function leftoversJson(leftovers: readonly Leftover[]): string {
  return plainJson({
    version: VERSION,
    leftovers: leftovers.map(({ pid, startTime, command, startedAt, receipt }) => ({
      pid,
      startTime,
      command,
      startedAt: optionalTime(startedAt),
      session: receipt === undefined ? null : receiptShape(receipt),
    })),
  });
}

function receiptShape(receipt: EndedReceipt): object {
  const { end, endedBy, origin } = receipt;
  const status = end.kind === 'exit' ? end.status : undefined;
  return {
    id: receipt.sessionId,
    title: receipt.title ?? null,
    commandLine: receipt.commandLine,
    argv: receipt.argv,
    complete: receipt.incomplete !== true,
    cwd: receipt.cwd,
    tty: receipt.tty,
    sandbox: receipt.sandbox ?? null,
    host: receipt.host,
    origin: { kind: origin.kind, name: origin.name ?? null },
    folder: receipt.folder ?? null,
    agentNumber: receipt.number ?? null,
    startedAt: timeText(receipt.startedAt),
    endedAt: timeText(end.at),
    lost: end.kind === 'lost',
    exitCode: status?.exitCode ?? null,
    signal: status?.signal ?? null,
    refused: refusedShape(status),
    endedBy: endedBy === undefined ? null : { kind: endedBy.kind, name: endedBy.name ?? null },
    steps: receipt.steps,
    left: receipt.left,
    outputBytes: receipt.bytes,
    evictedBytes: receipt.evictedBytes,
  };
}

function refusedShape(exit: ExitStatus | undefined): object | null {
  return exit?.refused === undefined ? null : { file: exit.refused.file ?? null };
}

function timeText(time: number): string {
  return new Date(time).toISOString();
}

function optionalTime(time: number | undefined): string | null {
  return time === undefined ? null : timeText(time);
}
