import type { FileHandle } from 'node:fs/promises';

import type { OpenedFile } from './openFile.js';

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
