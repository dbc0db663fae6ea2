import { randomUUID } from 'node:crypto';
import { existsSync, realpathSync } from 'node:fs';
import { chmod, mkdir, readdir, rename, rm, rmdir, stat, utimes, writeFile } from 'node:fs/promises';
import path from 'node:path';

import { isOurs } from './findServers.js';
import { ensurePrivateFolder } from './privateFolder.js';
import { readServerFiles, type ServerFiles, serverFolderName } from './serverFiles.js';

/** The age of copies that are removed, and of compiled code, counted from the last start of a server from them. */
const UNUSED_MS = 30 * 24 * 60 * 60 * 1_000;

/**
 * Copies the files of a server into a folder that only this user can look into, unless they are there already. A server
 * that runs for days must not depend on the folder of an extension, which an update removes.
 *
 * @param folder The folder of the copies, which is made if need be.
 * @returns the folder of the copy. Its content has been checked.
 * @throws StartError, NodeJS.ErrnoException
 */
export async function copyServer(source: ServerFiles, version: string, folder: string): Promise<string> {
  ensurePrivateFolder(folder);
  const copy = path.join(folder, serverFolderName(version, source));
  if (!isWhole(copy, source)) {
    await replace(copy, source, folder);
  }
  const now = new Date();
  await utimes(copy, now, now);
  await removeUnused(folder, now.getTime());
  return copy;
}

const COPIES = /^(?:server-|code$|\.)/;
/** Node is installed with a server on machines that have none. */
const COPIES_AND_NODE = /^(?:server-|node-|code$|\.)/;

/** Removes all copies, the compiled code and our own Node from their folder. Files of others stay. */
export async function removeCopies(folder: string): Promise<void> {
  if (isOurs(folder)) {
    await remove(folder, COPIES_AND_NODE, () => true);
    await rmdir(folder).catch(() => undefined);
  }
}

/** Whether the files of a server are one of the copies. */
export function isCopyIn(folder: string, files: string): boolean {
  return (
    path.basename(files).startsWith('server-') &&
    existsSync(folder) &&
    path.dirname(files) === realpathSync(folder)
  );
}

function isWhole(copy: string, { digest }: ServerFiles): boolean {
  try {
    ensurePrivateFolder(copy);
    return readServerFiles(copy).digest === digest;
  } catch {
    return false;
  }
}

/** The copy appears whole or not at all. It takes the place of a damaged one. */
async function replace(copy: string, source: ServerFiles, folder: string): Promise<void> {
  const aside = path.join(folder, `.${randomUUID()}`);
  const damaged = path.join(folder, `.${randomUUID()}`);
  try {
    await write(aside, source);
    await rename(copy, damaged).catch(() => undefined);
    await rename(aside, copy);
  } catch (error) {
    // Another program may have been quicker.
    if (!isWhole(copy, source)) {
      throw error;
    }
  } finally {
    await rm(aside, { recursive: true, force: true });
    await rm(damaged, { recursive: true, force: true });
  }
}

async function write(folder: string, { files }: ServerFiles): Promise<void> {
  for (const { name, content } of files) {
    const file = path.join(folder, name);
    await mkdir(path.dirname(file), { recursive: true, mode: 0o700 });
    await writeFile(file, content, { mode: 0o600, flag: 'wx' });
    // macOS starts this program for each terminal.
    if (path.basename(name) === 'spawn-helper') {
      await chmod(file, 0o700);
    }
  }
}

/**
 * This is safe while they are in use: servers have loaded everything, and Node compiles code again if its file is gone.
 */
async function removeUnused(folder: string, now: number): Promise<void> {
  await remove(folder, COPIES, async (file) => {
    const { mtimeMs } = await stat(file).catch(() => ({ mtimeMs: now }));
    return now - mtimeMs > UNUSED_MS;
  });
}

/** Removes what has such a name, and for which `which` is true. */
async function remove(
  folder: string,
  ours: RegExp,
  which: (file: string) => boolean | Promise<boolean>,
): Promise<void> {
  const names = (await readdir(folder)).filter((name) => ours.test(name));
  for (const file of names.map((name) => path.join(folder, name))) {
    if (await which(file)) {
      await rm(file, { recursive: true, force: true });
    }
  }
}
