import { randomUUID } from 'node:crypto';
import { linkSync, lstatSync, readFileSync, rmSync, writeFileSync, type BigIntStats } from 'node:fs';
import path from 'node:path';

import { type Clock, delay, isRecord } from '../core/index.js';
import { startTimeOf, stillRuns } from '../local/index.js';
import { StartError } from './startError.js';

/**
 * The usual time to wait for other processes that hold the claim, in milliseconds; a server holds it for milliseconds
 * only.
 */
const CLAIM_LIMIT_MS = 10_000;
/**
 * The wait before the first look again; it doubles up to the last one, since many processes may wait for one slow
 * start.
 */
const FIRST_RETRY_MS = 10;
const LAST_RETRY_MS = 160;

/**
 * Runs `use` while no other process that calls this for the same file may replace it. A process that dies meanwhile
 * holds up no other one. A claim names its process, and the claim of a process that has ended is taken over, which in
 * turn needs a claim.
 *
 * A claim is a file whose name says which version of the other file is meant (or that the file does not exist). A
 * version that has been replaced never comes back. So a process that comes late, and claims the version that it saw,
 * finds that the file is another one by now, and looks again.
 *
 * @param options.limitMs The time to wait for others, in milliseconds.
 * @param options.instead Asked again and again while others hold the claim; as soon as it has something, that is
 * returned.
 * @throws StartError if it takes too long.
 */
export async function claimFile<T>(
  file: string,
  clock: Clock,
  use: () => Promise<T>,
  options: { readonly limitMs?: number; readonly instead?: () => Promise<T | undefined> } = {},
): Promise<T> {
  const deadline = clock.now() + (options.limitMs ?? CLAIM_LIMIT_MS);
  for (let retryMs = FIRST_RETRY_MS; ; retryMs = Math.min(2 * retryMs, LAST_RETRY_MS)) {
    const version = versionOf(file);
    const claim = claimName(file, version);
    if (tryToClaim(claim)) {
      try {
        if (versionOf(file) === version) {
          return await use();
        }
      } finally {
        rmSync(claim, { force: true });
      }
    } else if (!(await takeOver(claim, clock)) && clock.now() > deadline) {
      throw new StartError(
        `${file} is being replaced by another server. If no such server runs, remove ${claim}`,
      );
    }
    await delay(clock, retryMs);
    const found = await options.instead?.();
    if (found !== undefined) {
      return found;
    }
  }
}

/**
 * An identity of the file, which no other file has, not even a later one of the same name. Empty if there is no file.
 */
export function versionOf(file: string): string {
  const found = lstat(file);
  return found === undefined ? '' : `${found.ino}-${found.ctimeNs}`;
}

function lstat(file: string): BigIntStats | undefined {
  return lstatSync(file, { bigint: true, throwIfNoEntry: false });
}

function claimName(file: string, version: string): string {
  return path.join(path.dirname(file), `.${path.basename(file)}.${version === '' ? 'none' : version}.claim`);
}

/**
 * Creates the claim by a link, so that it appears with its content, or not at all.
 *
 * @returns false if another process has claimed the same version.
 */
function tryToClaim(claim: string): boolean {
  const own = path.join(path.dirname(claim), `.${randomUUID()}`);
  try {
    writeFileSync(own, JSON.stringify({ pid: process.pid, startTime: startTimeOf(process.pid) }), {
      mode: 0o600,
    });
    linkSync(own, claim);
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') {
      return false;
    }
    throw error;
  } finally {
    rmSync(own, { force: true });
  }
}

/** @returns Whether there was a claim whose process had ended; it is removed then. */
async function takeOver(claim: string, clock: Clock): Promise<boolean> {
  const isAbandoned = () => {
    try {
      const owner: unknown = JSON.parse(readFileSync(claim, 'utf8'));
      return !isRecord(owner) || !stillRuns(owner);
    } catch (error) {
      // Without the file, the claim has just been released.
      return (error as NodeJS.ErrnoException).code !== 'ENOENT';
    }
  };
  if (!isAbandoned()) {
    return false;
  }
  await claimFile(claim, clock, () => {
    if (isAbandoned()) {
      rmSync(claim, { force: true });
    }
    return Promise.resolve();
  });
  return true;
}
