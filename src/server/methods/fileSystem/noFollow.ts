import { constants, existsSync } from 'node:fs';
import { lstat, open } from 'node:fs/promises';
import path from 'node:path';

import { isOsError, makeOsError } from '../osErrors.js';

/** A flag for opening files by its name; 0 where the system has none: Windows has some of them only. */
export function openFlag(name: string): number {
  const flags: Readonly<Record<string, number | undefined>> = constants;
  return flags[name] ?? 0;
}

export const NO_FOLLOW = openFlag('O_NOFOLLOW');

/** Linux: only a place to go on from, which needs no right to read. Node has no name for it. */
const O_PATH = 0o10000000;
const PLACE = O_PATH | openFlag('O_DIRECTORY') | NO_FOLLOW;

/** A directory on the way to a file. Its path leads there whatever happens to the names before it. */
interface Place {
  readonly path: string;
  close(): Promise<void>;
}

type Create = (directory: string) => Promise<void>;

/**
 * Walks to the directory that `file` is in without following a symbolic link, and hands `use` a path of the file whose
 * last part alone may be one.
 */
export async function withoutLinks<T>(file: string, use: (entry: string) => Promise<T>): Promise<T> {
  const { root, names } = partsOf(file);
  const last = names.pop() ?? '.';
  return inDirectory(root, names, (directory) => use(path.join(directory, last)));
}

/**
 * As {@link withoutLinks}, for a directory which is no link itself.
 *
 * @param create Makes a directory that is missing on the way, if that is wanted.
 */
export async function inDirectoryWithoutLinks<T>(
  directory: string,
  use: (directory: string) => Promise<T>,
  create?: Create,
): Promise<T> {
  const { root, names } = partsOf(directory);
  return inDirectory(root, names, use, create);
}

function partsOf(file: string): { root: string; names: string[] } {
  const { root } = path.parse(file);
  return { root, names: file.slice(root.length).split(path.sep).filter(Boolean) };
}

async function inDirectory<T>(
  root: string,
  names: readonly string[],
  use: (directory: string) => Promise<T>,
  create?: Create,
): Promise<T> {
  const step = canStayInPlace() ? openPlace : lookAtPlace;
  let place = await step(root);
  try {
    for (const name of names) {
      const next = await enter(step, path.join(place.path, name), create);
      await place.close();
      place = next;
    }
    return await use(place.path);
  } finally {
    await place.close();
  }
}

async function enter(
  step: (directory: string) => Promise<Place>,
  directory: string,
  create: Create | undefined,
): Promise<Place> {
  try {
    return await step(directory);
  } catch (error) {
    if (create === undefined || !isOsError(error, 'ENOENT')) {
      throw error;
    }
    await create(directory);
    return step(directory);
  }
}

/** Linux names an open directory, so that nobody can put a link in its place after it was looked at. */
export function canStayInPlace(): boolean {
  return process.platform === 'linux' && existsSync('/proc/self/fd');
}

export async function openPlace(directory: string | Buffer): Promise<Place> {
  const handle = await open(directory, PLACE);
  return { path: `/proc/self/fd/${handle.fd}`, close: () => handle.close() };
}

/** Elsewhere a link that is put there in that very moment would be followed. */
async function lookAtPlace(directory: string): Promise<Place> {
  if (!(await lstat(directory)).isDirectory()) {
    throw makeOsError('ENOTDIR');
  }
  return { path: directory, close: () => Promise.resolve() };
}
