import type { FileHandle } from 'node:fs/promises';

/**
 * Writes at the end of a file that no other process writes to. On a disk without room for all bytes it writes nothing.
 *
 * @param size The size of the file until now, in bytes.
 * @throws NodeJS.ErrnoException
 */
export async function appendWhole(handle: FileHandle, bytes: Buffer, size: number): Promise<void> {
  try {
    for (let written = 0; written < bytes.length;) {
      const rest = bytes.length - written;
      written += (await handle.write(bytes, written, rest, size + written)).bytesWritten;
    }
  } catch (error) {
    // A full disk may have taken a part.
    await handle.truncate(size).catch(() => undefined);
    throw error;
  }
}
