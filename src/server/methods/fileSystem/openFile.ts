import { constants, type Stats } from 'node:fs';
import { lstat, open, type FileHandle } from 'node:fs/promises';

import { makeOsError } from '../osErrors.js';
import { invalidRequest, notAFile } from './fileAnswers.js';
import { NO_FOLLOW, openFlag, withoutLinks } from './noFollow.js';

/** Flags with which opening a pipe or a device does not wait for its other side. */
const NO_WAITING = openFlag('O_NONBLOCK') | openFlag('O_NOCTTY');

export const READ = constants.O_RDONLY | NO_WAITING;
/** Makes a missing file, and leaves the content of one that is there. */
export const WRITE = constants.O_WRONLY | constants.O_CREAT | NO_WAITING;
export const REPLACE = WRITE | constants.O_TRUNC;

export interface OpenedFile {
  readonly handle: FileHandle;
  readonly stats: Stats;
}

export interface OpenOptions {
  readonly followSymlinks?: boolean | null | undefined;
  /** Accepts character devices as well, for example `/dev/null`. */
  readonly devices?: boolean;
}

/** Opens a regular file. Other kinds could block their user: pipes are refused, and devices unless `devices` is set. */
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
    // Windows has no flag that refuses links at opening.
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
    return false; // open() reports the error, if it matters.
  }
}
