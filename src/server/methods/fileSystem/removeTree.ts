import { readdir, rm, rmdir, unlink } from 'node:fs/promises';

import { isOsError } from '../osErrors.js';
import { entryOf } from './entryName.js';
import { REMOVALS_AT_ONCE } from './limits.js';
import { canStayInPlace, openPlace } from './noFollow.js';

/**
 * Removes a directory and all that is in it. Where an open directory has a name it goes from one to the next: nobody can
 * lead it elsewhere with a link, and no path is too long for it.
 */
export async function removeTree(directory: string): Promise<void> {
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
      // One after the other: each has a descriptor open on every level below it.
      for (const entry of batch.filter((_, index) => !removed[index])) {
        await removeContents(entry);
        await rmdir(entry);
      }
    }
  } finally {
    await place.close();
  }
}

/** @returns false if it is a directory. */
async function unlinkUnlessDirectory(entry: Buffer): Promise<boolean> {
  try {
    await unlink(entry);
  } catch (error) {
    if (isOsError(error, 'EISDIR')) {
      return false;
    }
    // Somebody else may be removing it as well.
    if (!isOsError(error, 'ENOENT')) {
      throw error;
    }
  }
  return true;
}
