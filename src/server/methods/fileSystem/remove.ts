import { lstat, readdir, rm, rmdir, unlink } from 'node:fs/promises';
import path from 'node:path';

import { type ParamsOf, type ResultOf, WireCode, WireError } from '../../../protocol/index.js';
import { isOsError } from '../osErrors.js';
import { entryOf } from './directories.js';
import { invalidRequest, pathOf, throughLink } from './fileAnswers.js';
import { REMOVALS_AT_ONCE } from './limits.js';
import { canStayInPlace, openPlace, withoutLinks } from './noFollow.js';

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
 * directory to the next: a link cannot lead it elsewhere, and no path gets too long.
 */
async function removeTree(directory: string): Promise<void> {
  if (!canStayInPlace()) {
    await rm(directory, { recursive: true });
    return;
  }
  await removeContents(directory);
  await rmdir(directory);
}

async function removeContents(directory: string | Buffer): Promise<void> {
  const place = await openPlace(directory);
  try {
    const here = Buffer.from(place.path);
    const entries = (await readdir(here, { encoding: 'buffer' })).map((name) => entryOf(here, name));
    for (let start = 0; start < entries.length; start += REMOVALS_AT_ONCE) {
      const batch = entries.slice(start, start + REMOVALS_AT_ONCE);
      const removed = await Promise.all(batch.map((entry) => unlinkUnlessDirectory(entry)));
      // Directories are removed one after the other: each needs an open descriptor for every level below it.
      for (const entry of batch.filter((_, index) => !removed[index])) {
        await removeContents(entry);
        await rmdir(entry);
      }
    }
  } finally {
    await place.close();
  }
}

/** @returns false if the entry is a directory, which stays. */
async function unlinkUnlessDirectory(entry: Buffer): Promise<boolean> {
  try {
    await unlink(entry);
  } catch (error) {
    if (isOsError(error, 'EISDIR')) {
      return false;
    }
    // Another process may have removed the entry meanwhile.
    if (!isOsError(error, 'ENOENT')) {
      throw error;
    }
  }
  return true;
}
