import { constants, type Stats } from 'node:fs';
import { lstat, open, type FileHandle } from 'node:fs/promises';

import { makeOsError } from '../osErrors.js';
import { invalidRequest, notAFile } from './fileAnswers.js';
import { NO_FOLLOW, openFlag, withoutLinks } from './noFollow.js';

/** Opening a pipe or a device must not wait for anybody. */
const NO_WAITING = openFlag('O_NONBLOCK') | openFlag('O_NOCTTY');

export const READ = constants.O_RDONLY | NO_WAITING;
export const REPLACE = constants.O_WRONLY | constants.O_CREAT | constants.O_TRUNC | NO_WAITING;

export interface OpenedFile {
  readonly handle: FileHandle;
  readonly stats: Stats;
}

export interface OpenOptions {
  readonly followSymlinks?: boolean | null | undefined;
  /** Takes `/dev/null` and the like as well. */
  readonly devices?: boolean;
}

/** Opens a file, and nothing that could make somebody wait: no pipe, no device unless that is wanted. */
export async function openFile(
  file: string,
  flags: number,
  { followSymlinks, devices = false }: OpenOptions,
): Promise<OpenedFile> {
  const follow = followSymlinks !== false;
  const handle = await (follow ? open(file, flags) : openNoFollow(file, flags));
  try {
    const stats = await handle.stat();
    if (stats.isFile() || (devices && follow && stats.isCharacterDevice())) {
      return { handle, stats };
    }
    throw follow ? notAFile(file) : invalidRequest('path is not a regular file');
  } catch (error) {
    await handle.close();
    throw error;
  }
}

function openNoFollow(file: string, flags: number): Promise<FileHandle> {
  return withoutLinks(file, async (entry) => {
    // Windows cannot refuse a link while it opens one.
    if (NO_FOLLOW === 0 && (await isLink(entry))) {
      throw makeOsError('ELOOP');
    }
    return open(entry, flags | NO_FOLLOW);
  });
}

async function isLink(entry: string): Promise<boolean> {
  try {
    return (await lstat(entry)).isSymbolicLink();
  } catch {
    return false; // What else is wrong with it opening it will say.
  }
}
