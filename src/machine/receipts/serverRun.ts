import { randomUUID } from 'node:crypto';
import { readdir, rm, utimes, writeFile } from 'node:fs/promises';
import path from 'node:path';

import { isRecord } from '../../core/index.js';
import {
  bootId,
  type GuardedEnd,
  isAlive,
  processNamespace,
  readReport,
  startTimeOf,
} from '../../local/index.js';
import { openOwn, readOwn } from './openOwn.js';
import type { ReceiptPlace } from './receiptPlace.js';
import { unlessMissing } from './unlessMissing.js';

/** The time between two signs of life of a server with sessions that run, in milliseconds. */
export const SIGN_MS = 30_000;
/** A server of another machine or container, or one that has not said more yet, counts as there for so long after its last sign, in milliseconds. */
const SILENT_MS = 4 * SIGN_MS;

/** The name of a server's file, which no other server has. */
const NAME = /^[0-9a-f-]{36}$/;

const REPORT = '.guard';

/** How a server stands that has written receipts. Times are milliseconds since 1970. */
export type RunState =
  | { readonly runs: true }
  /** `guarded`: what its guard has stopped behind its end. */
  | { readonly runs: false; readonly lastSign: number; readonly guarded: readonly GuardedEnd[] };

/** Makes the file that says that this process is there. */
export async function beginRun(place: ReceiptPlace): Promise<string> {
  const name = randomUUID();
  await writeRun(place, name);
  return name;
}

/** Gives a sign of life. Who took this process for one that has ended, as after a pause of it, has removed its file. */
export async function signLife(place: ReceiptPlace, name: string, wallTime: number): Promise<void> {
  const time = new Date(wallTime);
  await utimes(path.join(place.runs, name), time, time)
    .catch(() => writeRun(place, name))
    .catch(() => undefined);
}

/** Forgets a server of whose sessions all ends are known. */
export async function endRun(place: ReceiptPlace, name: string): Promise<void> {
  await rm(path.join(place.runs, name), { force: true });
  await rm(guardReportOf(place, name), { force: true });
}

/** The file in which the guard of a server says what it has stopped. */
export function guardReportOf({ runs }: ReceiptPlace, name: string): string {
  return path.join(runs, `${name}${REPORT}`);
}

/**
 * Removes what guards have said behind the end of servers that had written all down themselves.
 *
 * @throws Error if the folder cannot be read.
 */
export async function removeIdleReports({ runs }: ReceiptPlace): Promise<void> {
  const names = (await unlessMissing(readdir(runs))) ?? [];
  const idle = names.filter(
    (name) => name.endsWith(REPORT) && !names.includes(name.slice(0, -REPORT.length)),
  );
  await Promise.all(idle.map((name) => rm(path.join(runs, name), { force: true })));
}

/**
 * The states of all servers, by their names. One that is not there has ended long ago.
 *
 * @throws Error if it cannot be read who is there, which does not mean that nobody is.
 */
export async function readRuns(
  place: ReceiptPlace,
  wallTime: number,
): Promise<ReadonlyMap<string, RunState>> {
  const names = ((await unlessMissing(readdir(place.runs))) ?? []).filter((name) => NAME.test(name));
  const states = await Promise.all(
    names.map(async (name) => [name, await unlessMissing(stateOf(place, name, wallTime))] as const),
  );
  return new Map(states.flatMap(([name, state]) => (state === undefined ? [] : [[name, state] as const])));
}

async function writeRun({ runs }: ReceiptPlace, name: string): Promise<void> {
  const { pid } = process;
  const said = { pid, startTime: startTimeOf(pid), boot: bootId(), namespace: processNamespace() };
  const file = path.join(runs, name);
  try {
    await writeFile(file, JSON.stringify(said), { flag: 'wx', mode: 0o600 });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') {
      // A full disk may have had room for the name alone, and the next try takes another one.
      await rm(file, { force: true });
    }
    throw error;
  }
}

async function stateOf(place: ReceiptPlace, name: string, wallTime: number): Promise<RunState> {
  const file = path.join(place.runs, name);
  const handle = await openOwn(file);
  let said: string;
  let mtimeMs: number;
  try {
    [said, { mtimeMs }] = await Promise.all([handle.readFile('utf8'), handle.stat()]);
  } finally {
    await handle.close();
  }
  if (isThere(parsed(said), wallTime - mtimeMs)) {
    return { runs: true };
  }
  const report = await unlessMissing(readOwn(guardReportOf(place, name)));
  return { runs: false, lastSign: mtimeMs, guarded: readReport(report ?? '') };
}

/** Undefined if its server is about to write it, or has died then. */
function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function isThere(said: unknown, silentMs: number): boolean {
  const { pid, startTime, boot, namespace } = isRecord(said) ? said : {};
  if (typeof pid !== 'number' || namespace !== processNamespace()) {
    return silentMs < SILENT_MS;
  }
  return boot === bootId() && (typeof startTime === 'string' ? isAlive({ pid, startTime }) : exists(pid));
}

function exists(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}
