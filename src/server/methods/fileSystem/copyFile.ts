import { constants, type Stats } from 'node:fs';
import { copyFile, open, type FileHandle } from 'node:fs/promises';

import { undoneUnlessWritten, writeAt } from './replaceContent.js';

const BLOCK_BYTES = 1024 * 1024;
const RIGHTS = 0o7777;

/**
 * Copies a file with its rights. An existing file keeps its content if there is no room for the new one. Node's own
 * copy would empty it first, and remove it after an error.
 *
 * @param there The description of the destination, if it is known.
 * @throws An error of the system.
 */
export async function copyOneFile(
  source: string | Buffer,
  destination: string | Buffer,
  there: Stats | undefined,
): Promise<void> {
  // Node's copy is faster, and on Windows it copies a file's other data as well.
  if (there === undefined || !there.isFile() || there.size === 0 || process.platform === 'win32') {
    await copyFile(source, destination);
    return;
  }
  const from = await open(source, constants.O_RDONLY);
  try {
    const to = await open(destination, constants.O_WRONLY);
    try {
      await copyOver(from, to);
    } finally {
      await to.close();
    }
  } finally {
    await from.close();
  }
}

/** Copies in the order that {@link replaceContent} explains. */
async function copyOver(from: FileHandle, to: FileHandle): Promise<void> {
  const [source, old] = await Promise.all([from.stat(), to.stat()]);
  if (source.ino === old.ino && source.dev === old.dev) {
    return;
  }
  await to.chmod(source.mode & RIGHTS);
  try {
    const end = old.size;
    const length = await undoneUnlessWritten(to, end, () => copyRange(from, to, end, Infinity));
    const within = await copyRange(from, to, 0, end);
    await to.truncate(length > end ? length : within);
  } catch (error) {
    await to.chmod(old.mode & RIGHTS).catch(() => undefined); // The first error counts.
    throw error;
  }
}

/** @returns where the range ends, or the source before that. */
async function copyRange(from: FileHandle, to: FileHandle, start: number, end: number): Promise<number> {
  const block = Buffer.allocUnsafe(BLOCK_BYTES);
  let position = start;
  while (position < end) {
    const length = Math.min(block.length, end - position);
    const { bytesRead } = await from.read(block, 0, length, position);
    if (bytesRead === 0) {
      break;
    }
    await writeAt(to, block.subarray(0, bytesRead), position);
    position += bytesRead;
  }
  return position;
}
