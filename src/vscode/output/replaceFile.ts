import { randomUUID } from 'node:crypto';
import path from 'node:path';

import type { FileSystem, Uri } from 'vscode';

/** `vscode.FileType.File`: a file, and no link to one. */
const REGULAR_FILE = 1;

/**
 * Writes a file. One that is there keeps its content if there is no room for the new one: VS Code empties a file before
 * it writes, so the new content is written aside and takes the name when it is whole. Links, and what else is no plain
 * file, are written as they are.
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
