import { lstat, readdir, rm, rmdir, unlink } from 'node:fs/promises';
import path from 'node:path';

import { type ParamsOf, type ResultOf, WireCode, WireError } from '../../../protocol/index.js';
import { isOsError } from '../osErrors.js';
import { invalidRequest, pathOf, throughLink } from './fileAnswers.js';
import { canStayInPlace, withoutLinks } from './noFollow.js';
import { Descent } from './descent.js';
import { entryOf } from './directories.js';
import { REMOVALS_AT_ONCE } from './limits.js';

/** Removes a file, a directory, or a link; never the target of a link. */
export async function remove(params: ParamsOf<'fs/remove'>): Promise<ResultOf<'fs/remove'>> {
  const file = pathOf(params);
  const recursive = params.recursive !== false;
  const follow = params.followSymlinks !== false;
  if (path.parse(file).root === file) {
    throw invalidRequest('path must name an entry');
  }
  if (recursive && !follow) {
    throw new WireError(WireCode.internal, 'recursive no-follow removal is unsupported');
  }
  try {
    await (follow ? removeEntry(file, recursive) : withoutLinks(file, removeUnlinked));
  } catch (error) {
    if (params.force === false || !isOsError(error, 'ENOENT')) {
      throw error;
    }
  }
  return {};
}

async function removeEntry(file: string, recursive: boolean): Promise<void> {
  if (!(await lstat(file)).isDirectory()) {
    await unlink(file);
  } else if (recursive) {
    await removeTree(file);
  } else {
    await rmdir(file);
  }
}

async function removeUnlinked(entry: string): Promise<void> {
  const stats = await lstat(entry);
  if (stats.isSymbolicLink()) {
    throw throughLink();
  }
  await (stats.isDirectory() ? rmdir(entry) : unlink(entry));
}

/**
 * Removes a directory and all that is in it. Where an open directory has a path of its own, it goes from one open
 * directory to the next. So a link cannot lead it elsewhere, and no path gets too long. It looks into each directory
 * once: where others go on making entries, it ends with an error.
 *
 * @throws An error of the system, for example `ENOTEMPTY`.
 */
async function removeTree(directory: string): Promise<void> {
  if (!canStayInPlace()) {
    await rm(directory, { recursive: true });
    return;
  }
  const descent = new Descent();
  try {
    await descent.enter(directory);
    await removeContents(descent);
  } finally {
    await descent.end();
  }
  await rmdir(directory);
}

async function removeContents(descent: Descent): Promise<void> {
  const names = (await unlessGone(readdir(descent.here, { encoding: 'buffer' }))) ?? [];
  for (let start = 0; start < names.length; start += REMOVALS_AT_ONCE) {
    const batch = names.slice(start, start + REMOVALS_AT_ONCE);
    const left = await Promise.all(batch.map((name) => isDirectoryOrUnlink(entryOf(descent.here, name))));
    // Directories are removed one after the other: each needs open descriptors for the levels below it.
    for (const name of batch.filter((_, index) => left[index])) {
      await removeBelow(descent, name);
    }
  }
}

async function removeBelow(descent: Descent, name: Buffer): Promise<void> {
  const entered = await unlessGone(descent.enter(entryOf(descent.here, name)).then(() => true));
  if (entered === true) {
    await removeContents(descent);
    await descent.leave();
    await unlessGone(rmdir(entryOf(descent.here, name)));
  }
}

/** @returns true if the entry is a directory, which stays. */
async function isDirectoryOrUnlink(entry: Buffer): Promise<boolean> {
  try {
    await unlessGone(unlink(entry));
    return false;
  } catch (error) {
    if (isOsError(error, 'EISDIR')) {
      return true;
    }
    throw error;
  }
}

/**
 * An entry that another process removes meanwhile needs no removal. Without this, the whole removal would end. It would
 * pass for a success, since removing a missing path is one.
 */
async function unlessGone<T>(removal: Promise<T>): Promise<T | undefined> {
  try {
    return await removal;
  } catch (error) {
    if (isOsError(error, 'ENOENT')) {
      return undefined;
    }
    throw error;
  }
}
