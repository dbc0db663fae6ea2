import { causeIn, originIn } from '../metadata.js';
import type { StopStep } from '../process/execBackend.js';
import type { Sandbox, SandboxPlace } from '../process/sandbox.js';
import { isRecord } from '../unknownValues.js';
import type { Receipt, ReceiptEnd, ReceiptLeader, ReceiptLeftover, ReceiptRecord } from './receipt.js';

/** The version of the format. Members may be added to it; a reader skips lines of later versions. */
const VERSION = 1;

/** A record as one line, without its line feed. */
export function receiptLine(record: ReceiptRecord): string {
  return JSON.stringify(
    record.kind === 'removed'
      ? { v: VERSION, removed: record.id, lost: record.lost }
      : { v: VERSION, ...record.receipt },
  );
}

/** Reads the lines of a file with receipts. Lines that are not records are skipped: a crash cuts the last one. */
export function readReceiptLines(text: string): readonly ReceiptRecord[] {
  return text.split('\n').flatMap((line) => recordIn(line) ?? []);
}

function recordIn(line: string): ReceiptRecord | undefined {
  let value: unknown;
  try {
    value = JSON.parse(line);
  } catch {
    return undefined;
  }
  if (!isRecord(value) || value['v'] !== VERSION) {
    return undefined;
  }
  const { removed, lost } = value;
  if (typeof removed === 'string') {
    return { kind: 'removed', id: removed, lost: lost === true };
  }
  const receipt = receiptIn(value);
  return receipt && { kind: 'receipt', receipt };
}

/** Checks by hand: the extension loads this too, but no library that checks values. */
function receiptIn(value: Readonly<Record<string, unknown>>): Receipt | undefined {
  const { id, sessionId, commandLine, cwd, tty, title, number, folder, mark, host, startedAt } = value;
  if (
    typeof id !== 'string' ||
    typeof sessionId !== 'string' ||
    typeof commandLine !== 'string' ||
    typeof cwd !== 'string' ||
    !isTime(startedAt)
  ) {
    return undefined;
  }
  const end = endIn(value['end']);
  const endedBy = causeIn(value['endedBy']);
  const leader = leaderIn(value['leader']);
  const sandbox = sandboxIn(value['sandbox']);
  // Its command must not run again without the sandbox that it had.
  const incomplete =
    value['incomplete'] === true || (value['sandbox'] !== undefined && sandbox === undefined);
  return {
    id,
    sessionId,
    argv: textsIn(value['argv']),
    commandLine,
    cwd,
    tty: tty === true,
    ...(sandbox && { sandbox }),
    ...(typeof title === 'string' && { title }),
    origin: originIn(value['origin']),
    ...(isCount(number) && { number }),
    ...(typeof folder === 'string' && { folder }),
    ...(typeof mark === 'string' && { mark }),
    ...(leader && { leader }),
    ...(value['window'] === true && { window: true as const }),
    host: typeof host === 'string' ? host : '',
    startedAt,
    ...(end && { end }),
    ...(endedBy && { endedBy }),
    steps: textsIn(value['steps']).filter(isStep),
    left: leftIn(value['left']),
    bytes: countIn(value['bytes']),
    evictedBytes: countIn(value['evictedBytes']),
    ...(value['outputOpen'] === true && { outputOpen: true as const }),
    ...(incomplete && { incomplete }),
  };
}

function endIn(value: unknown): ReceiptEnd | undefined {
  if (!isRecord(value) || !isTime(value['at'])) {
    return undefined;
  }
  const { kind, at, status } = value;
  if (kind !== 'exit' || !isRecord(status) || !Number.isSafeInteger(status['exitCode'])) {
    return undefined;
  }
  const { exitCode, signal, refused } = status;
  return {
    kind,
    at,
    status: {
      exitCode: Number(exitCode),
      ...(typeof signal === 'string' && { signal }),
      ...(isRecord(refused) && {
        refused: typeof refused['file'] === 'string' ? { file: refused['file'] } : {},
      }),
    },
  };
}

function sandboxIn(value: unknown): Sandbox | undefined {
  const { places, network } = isRecord(value) ? value : {};
  return Array.isArray(places) && places.every(isPlace) && typeof network === 'boolean'
    ? { places, network }
    : undefined;
}

function isPlace(value: unknown): value is SandboxPlace {
  return (
    isRecord(value) &&
    typeof value['path'] === 'string' &&
    (value['access'] === 'read' || value['access'] === 'write')
  );
}

function leaderIn(value: unknown): ReceiptLeader | undefined {
  const { pid, startTime } = isRecord(value) ? value : {};
  return isCount(pid) ? { pid, ...(typeof startTime === 'string' && { startTime }) } : undefined;
}

function leftIn(value: unknown): readonly ReceiptLeftover[] {
  return (Array.isArray(value) ? value : []).filter(
    (one: unknown): one is ReceiptLeftover =>
      isRecord(one) &&
      isCount(one['pid']) &&
      typeof one['startTime'] === 'string' &&
      typeof one['command'] === 'string',
  );
}

const STEPS: readonly string[] = ['interrupt', 'hangup', 'terminate', 'kill'] satisfies readonly StopStep[];

function isStep(text: string): text is StopStep {
  return STEPS.includes(text);
}

function textsIn(value: unknown): readonly string[] {
  return (Array.isArray(value) ? value : []).filter((one: unknown) => typeof one === 'string');
}

function countIn(value: unknown): number {
  return isCount(value) ? value : 0;
}

function isCount(value: unknown): value is number {
  return typeof value === 'number' && Number.isSafeInteger(value) && value >= 0;
}

/** Within the range of JavaScript's dates. */
function isTime(value: unknown): value is number {
  return typeof value === 'number' && Math.abs(value) <= 8.64e15;
}
