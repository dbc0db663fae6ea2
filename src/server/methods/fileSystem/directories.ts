import type { Dirent } from 'node:fs';
import { mkdir, readdir, stat } from 'node:fs/promises';
import path from 'node:path';

import type { ParamsOf, ResultOf } from '../../../protocol/index.js';
import { isOsError } from '../osErrors.js';
import { pathOf } from './fileAnswers.js';
import { LOOKS_AT_ONCE } from './limits.js';
import { inDirectoryWithoutLinks, withoutLinks } from './noFollow.js';

export async function createDirectory(
  params: ParamsOf<'fs/createDirectory'>,
): Promise<ResultOf<'fs/createDirectory'>> {
  const directory = pathOf(params);
  const follow = params.followSymlinks !== false;
  if (params.recursive !== false) {
    await (follow ? createWithParents(directory) : createWithoutLinks(directory));
  } else {
    await (follow ? mkdir(directory) : withoutLinks(directory, (entry) => mkdir(entry)));
  }
  return {};
}

/**
 * Creates a directory and its missing parents. A directory that exists already is no error. Node's own mkdir with
 * `recursive` reports ENOENT for a full disk, a read-only disk, and a link that leads nowhere.
 *
 * @param create Makes one directory.
 */
export async function createWithParents(
  directory: string,
  create: (directory: string) => Promise<unknown> = mkdir,
): Promise<void> {
  try {
    await createUnlessThere(directory, create);
  } catch (error) {
    const parent = path.dirname(directory);
    if (!isOsError(error, 'ENOENT') || parent === directory) {
      throw error;
    }
    await createWithParents(parent, create);
    await createUnlessThere(directory, create);
  }
}

/** Creates a directory and its missing parents without following a symbolic link. */
export async function createWithoutLinks(directory: string): Promise<void> {
  await inDirectoryWithoutLinks(directory, () => Promise.resolve(), createUnlessThere);
}

/** Creates a directory. One that exists already is no error. */
export async function createUnlessThere<P extends string | Buffer>(
  directory: P,
  create: (directory: P) => Promise<unknown> = mkdir,
): Promise<void> {
  try {
    await create(directory);
  } catch (error) {
    if (!(await isDirectory(directory))) {
      throw error;
    }
  }
}

async function isDirectory(file: string | Buffer): Promise<boolean> {
  try {
    return (await stat(file)).isDirectory();
  } catch {
    return false;
  }
}

export async function readDirectory(
  params: ParamsOf<'fs/readDirectory'>,
): Promise<ResultOf<'fs/readDirectory'>> {
  const directory = pathOf(params);
  const entries =
    params.followSymlinks === false
      ? await inDirectoryWithoutLinks(directory, listDirectory)
      : await listDirectory(directory);
  return { entries };
}

interface DirectoryEntry {
  readonly fileName: string;
  readonly isDirectory: boolean;
  readonly isFile: boolean;
}

/** Lists a directory. A link is listed as the kind of its target, and left out if it leads nowhere. */
export async function listDirectory(directory: string): Promise<DirectoryEntry[]> {
  const entries = await readdir(directory, { withFileTypes: true });
  const known: DirectoryEntry[] = [];
  for (let start = 0; start < entries.length; start += LOOKS_AT_ONCE) {
    const batch = entries.slice(start, start + LOOKS_AT_ONCE);
    const described = await Promise.all(batch.map((entry) => describe(directory, entry)));
    known.push(...described.filter((entry) => entry !== undefined));
  }
  return known;
}

async function describe(directory: string, entry: Dirent): Promise<DirectoryEntry | undefined> {
  try {
    const kind = entry.isSymbolicLink() ? await stat(path.join(directory, entry.name)) : entry;
    return { fileName: entry.name, isDirectory: kind.isDirectory(), isFile: kind.isFile() };
  } catch {
    return undefined;
  }
}

/** The path of an entry of a directory, in bytes: the system's names need not be text. */
export function entryOf(directory: Buffer, name: Buffer): Buffer {
  return Buffer.concat([directory, Buffer.from(path.sep), name]);
}
