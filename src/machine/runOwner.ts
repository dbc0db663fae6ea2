import { readSync } from 'node:fs';

import { isRecord } from '../core/index.js';
import { bootId, processNamespace, startTimeOf, stillRuns } from '../local/index.js';

/** The time between two signs of life of a server with sessions that run, in milliseconds. */
export const SIGN_MS = 30_000;
/** The time for which a server of another machine or container counts as there after its last sign, in milliseconds. */
const SILENT_MS = 4 * SIGN_MS;
/** The longest line that names an owner, in bytes. */
const OWNER_LINE_BYTES = 1024;

/** The first line of a file, with the process that writes the files of a run. */
export function ownerLine(): string {
  const { pid } = process;
  return JSON.stringify({
    v: 1,
    pid,
    startTime: startTimeOf(pid),
    boot: bootId(),
    namespace: processNamespace(),
  });
}

/**
 * Whether the process still runs that a first line names. In another namespace its number says nothing: there its last
 * sign of life decides.
 *
 * @param silentMs The time since that sign.
 */
export function ownerRuns(line: string, silentMs: number): boolean {
  const owner = parsed(line);
  return owner['namespace'] === processNamespace()
    ? stillRuns(owner) && owner['boot'] === bootId()
    : silentMs < SILENT_MS;
}

/** The same for a file, by its first line. */
export function ownerRunsIn(descriptor: number, silentMs: number): boolean {
  const start = Buffer.alloc(OWNER_LINE_BYTES);
  const size = readSync(descriptor, start, 0, OWNER_LINE_BYTES, 0);
  const [first = ''] = start.toString('utf8', 0, size).split('\n');
  return ownerRuns(first, silentMs);
}

/** Empty if the line is not written yet. */
function parsed(line: string): Readonly<Record<string, unknown>> {
  try {
    const value: unknown = JSON.parse(line);
    return isRecord(value) ? value : {};
  } catch {
    return {};
  }
}
