import { existsSync, realpathSync, statSync, writeFileSync } from 'node:fs';
import { readdir, rm, rmdir } from 'node:fs/promises';
import path from 'node:path';

import type { Clock } from '../core/index.js';
import { claimFile } from './fileClaim.js';
import { isOurs } from './findServers.js';

/**
 * Is in the folder of the copies from the removal of the extension on, until a program starts a server again: while there is
 * one, the next start must find its copy. Whoever removes copies, or the mark, claims it.
 */
const MARK = 'uninstalled';
/** For so long a server may be starting from a copy, in milliseconds. */
const STARTING_MS = 60_000;
/** The longest wait for another program that removes files, in milliseconds. */
const WAIT_MS = 5_000;

export interface RemovalOptions {
  /** The folder of the copies. */
  readonly folder: string;
  readonly clock: Clock;
}

/**
 * Removes the copies that no server runs from, and the compiled code, once the extension is gone. A server removes the rest
 * at its end ({@link removeOwnCopy}).
 *
 * @param isUsed Whether a server runs from the copy with this name.
 * @throws StartError, NodeJS.ErrnoException
 */
export async function removeCopies(
  isUsed: (name: string) => boolean,
  { folder, clock }: RemovalOptions,
): Promise<void> {
  if (!isOurs(folder)) {
    return;
  }
  const mark = path.join(folder, MARK);
  writeFileSync(mark, '', { mode: 0o600 });
  const remove = async () => {
    for (const name of await ours(folder)) {
      const isKept = isUsed(name) || (!isCode(name) && isUsedSince(folder, name, Date.now() - STARTING_MS));
      if (!isKept) {
        await rm(path.join(folder, name), { recursive: true, force: true });
      }
    }
    await endIfLast(folder);
  };
  await claimFile(mark, clock, remove, { limitMs: WAIT_MS });
  await removeIfEmpty(folder);
}

/**
 * Removes the copy that a server runs from, at its end, if the extension is gone, and with the last copy all that is beside
 * them. A copy that another server was started from meanwhile is left to that one.
 *
 * @param own The folder with the files of the server; nothing happens if that is not a copy.
 * @param startedAt When the server was started, in milliseconds since 1970.
 * @throws StartError, NodeJS.ErrnoException
 */
export async function removeOwnCopy(
  own: string,
  startedAt: number,
  { folder, clock }: RemovalOptions,
): Promise<void> {
  const mark = path.join(folder, MARK);
  const name = path.basename(own);
  if (!existsSync(mark) || !isOurs(folder) || !isCopyIn(folder, own)) {
    return;
  }
  const remove = async () => {
    if (existsSync(mark) && !isUsedSince(folder, name, startedAt)) {
      await rm(own, { recursive: true, force: true });
      await endIfLast(folder);
    }
  };
  await claimFile(mark, clock, remove, { limitMs: WAIT_MS });
  await removeIfEmpty(folder);
}

/**
 * Called before a copy is looked at to start a server from it: from then on nobody removes it.
 *
 * @throws StartError, NodeJS.ErrnoException
 */
export async function keepCopies({ folder, clock }: RemovalOptions): Promise<void> {
  const mark = path.join(folder, MARK);
  const remove = () => rm(mark, { force: true });
  try {
    if (existsSync(mark)) {
      await claimFile(mark, clock, remove, { limitMs: WAIT_MS });
    }
  } catch (error) {
    // Whoever removed the last copy has removed the mark as well, and perhaps the folder.
    if (existsSync(mark)) {
      throw error;
    }
  }
}

/** Once no copy is left, what is beside them goes, and the mark last: until then, a start waits. */
async function endIfLast(folder: string): Promise<void> {
  const names = await ours(folder);
  if (!names.some(isCopy)) {
    for (const name of names.filter(isCode)) {
      await rm(path.join(folder, name), { recursive: true, force: true });
    }
    await rm(path.join(folder, MARK), { force: true });
  }
}

/** Another program may have something new in it. */
async function removeIfEmpty(folder: string): Promise<void> {
  await rmdir(folder).catch(() => undefined);
}

/** The names of copies, of the compiled code, and of copies that were not finished. */
async function ours(folder: string): Promise<readonly string[]> {
  return (await readdir(folder)).filter((name) => isCopy(name) || isCode(name) || name.startsWith('.'));
}

/** Whether the files of a server are one of the copies. */
export function isCopyIn(folder: string, files: string): boolean {
  return isCopy(path.basename(files)) && existsSync(folder) && path.dirname(files) === realpathSync(folder);
}

function isCopy(name: string): boolean {
  return name.startsWith('server-');
}

function isCode(name: string): boolean {
  return name === 'code';
}

/** Each start from a copy gives it a new time. */
function isUsedSince(folder: string, name: string, since: number): boolean {
  const found = statSync(path.join(folder, name), { throwIfNoEntry: false });
  return found !== undefined && found.mtimeMs > since;
}
