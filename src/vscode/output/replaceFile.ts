import { randomUUID } from 'node:crypto';
import path from 'node:path';

import type { FileSystem, Uri } from 'vscode';

/** `vscode.FileType.File`: a file, not a link to one. */
const REGULAR_FILE = 1;

/**
 * Writes a file. An existing file keeps its content if the disk is full. VS Code empties a file before it writes, so
 * the new content goes into another file, which takes the name when it is complete. Links and other special files are
 * written in place.
 *
 * @throws The error of VS Code.
 */
export async function replaceFile(
  fs: Pick<FileSystem, 'stat' | 'writeFile' | 'rename' | 'delete'>,
  file: Uri,
  content: Uint8Array,
): Promise<void> {
  if ((await typeOf(fs, file)) !== REGULAR_FILE) {
    await fs.writeFile(file, content);
    return;
  }
  const name = `.${path.posix.basename(file.path)}.${randomUUID()}`;
  const aside = file.with({ path: path.posix.join(path.posix.dirname(file.path), name) });
  try {
    await fs.writeFile(aside, content);
    await fs.rename(aside, file, { overwrite: true });
  } catch (error) {
    await remove(fs, aside);
    throw error;
  }
}

async function typeOf(fs: Pick<FileSystem, 'stat'>, file: Uri): Promise<number | undefined> {
  try {
    return (await fs.stat(file)).type;
  } catch {
    return undefined; // Writing reports the error, if it matters.
  }
}

async function remove(fs: Pick<FileSystem, 'delete'>, file: Uri): Promise<void> {
  try {
    await fs.delete(file);
  } catch {
    // It may never have been there.
  }
}
