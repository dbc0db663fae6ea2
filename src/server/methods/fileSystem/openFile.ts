import { constants, type Stats } from 'node:fs';
import { type FileHandle, lstat, open } from 'node:fs/promises';

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
  readonly devices?: boolean | undefined;
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

/**
 * Gives a file other content, in such an order that a full disk leaves the old one. The part beyond the old end is
 * written first, since it alone needs more room. The file stays the same one, with its rights, its owner and its other
 * names, for programs that watch it or have it open. If there was too little room, the file has its old content; a new
 * file is empty.
 *
 * @throws An error of the system.
 */
export async function replaceContent({ handle, stats }: OpenedFile, content: Uint8Array): Promise<void> {
  const end = stats.size;
  if (end === 0) {
    // Devices, and the files of the kernel that report no size, take no position.
    await undoneUnlessWritten(handle, end, () => handle.writeFile(content));
    return;
  }
  await undoneUnlessWritten(handle, end, () => writeAt(handle, content.subarray(end), end));
  await writeAt(handle, content.subarray(0, end), 0);
  await handle.truncate(content.length);
}

/** Cuts the part beyond the old end off again if the rest of it cannot be written. */
export async function undoneUnlessWritten<T>(
  handle: FileHandle,
  end: number,
  write: () => Promise<T>,
): Promise<T> {
  try {
    return await write();
  } catch (error) {
    await handle.truncate(end).catch(() => undefined); // The first error counts.
    throw error;
  }
}

/** Writes all bytes, in bytes from the start of the file: the system may take them in pieces. */
export async function writeAt(handle: FileHandle, bytes: Uint8Array, position: number): Promise<void> {
  let written = 0;
  while (written < bytes.length) {
    const { bytesWritten } = await handle.write(bytes, written, bytes.length - written, position + written);
    written += bytesWritten;
  }
}
