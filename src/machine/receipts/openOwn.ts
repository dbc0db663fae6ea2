import { type FileHandle, open } from 'node:fs/promises';

/**
 * Opens a file to read it, unless somebody else has written it: what is in receipts can be run again.
 *
 * @throws Error
 */
export async function openOwn(file: string): Promise<FileHandle> {
  const handle = await open(file);
  const { uid } = await handle.stat();
  if (process.getuid !== undefined && uid !== process.getuid()) {
    await handle.close();
    throw new Error(`${file} belongs to somebody else`);
  }
  return handle;
}
