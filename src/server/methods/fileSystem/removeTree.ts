import { readdir, rm, rmdir, unlink } from 'node:fs/promises';

import { isOsError } from '../osErrors.js';
import { Descent } from './descent.js';
import { entryOf } from './directories.js';
import { REMOVALS_AT_ONCE } from './limits.js';
import { canStayInPlace } from './noFollow.js';

/**
 * Removes a directory and all that is in it. Where an open directory has a path of its own, it goes from one open
 * directory to the next: a link cannot lead it elsewhere, and no path gets too long.
 */
export async function removeTree(directory: string): Promise<void> {
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
  const names = await readdir(descent.here, { encoding: 'buffer' });
  for (let start = 0; start < names.length; start += REMOVALS_AT_ONCE) {
    const batch = names.slice(start, start + REMOVALS_AT_ONCE);
    const removed = await Promise.all(
      batch.map((name) => unlinkUnlessDirectory(entryOf(descent.here, name))),
    );
    // Directories are removed one after the other: each needs open descriptors for the levels below it.
    for (const name of batch.filter((_, index) => !removed[index])) {
      await descent.enter(entryOf(descent.here, name));
      await removeContents(descent);
      await descent.leave();
      await rmdir(entryOf(descent.here, name));
    }
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
