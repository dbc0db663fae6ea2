import { constants, existsSync } from 'node:fs';
import { lstat, open } from 'node:fs/promises';
import path from 'node:path';

import { isOsError, makeOsError } from '../osErrors.js';

/** The flag of this name for opening files; 0 if the system has none: Windows has only some of them. */
export function openFlag(name: string): number {
  const flags: Readonly<Record<string, number | undefined>> = constants;
  return flags[name] ?? 0;
}

export const NO_FOLLOW = openFlag('O_NOFOLLOW');

/**
 * Linux's flag for opening a directory only as a starting point, which needs no right to read it. Node has no name for
 * it.
 */
const O_PATH = 0o10000000;
const PLACE = O_PATH | openFlag('O_DIRECTORY') | NO_FOLLOW;

/** A directory on the way to a file. Its path leads there even if the names before it change meanwhile. */
export interface Place {
  readonly path: string;
  close(): Promise<void>;
}

type Create = (directory: string) => Promise<void>;

/**
 * Opens the directories on the way to `file` one by one, following no symbolic link, and hands `use` a path of the
 * file. Only the last part of that path may be a link.
 */
export async function withoutLinks<T>(file: string, use: (entry: string) => Promise<T>): Promise<T> {
  const { root, names } = partsOf(file);
  const last = names.pop() ?? '.';
  return inDirectory(root, names, (directory) => use(path.join(directory, last)));
}

/**
 * Does the same as {@link withoutLinks} for a directory, which must not be a link either.
 *
 * @param create Makes a missing directory on the way; without it, a missing directory is an error.
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

/** Whether an open directory has a path of its own, as on Linux: no link can take its place after the check. */
export function canStayInPlace(): boolean {
  return process.platform === 'linux' && existsSync('/proc/self/fd');
}

export async function openPlace(directory: string | Buffer): Promise<Place> {
  const handle = await open(directory, PLACE);
  return { path: `/proc/self/fd/${handle.fd}`, close: () => handle.close() };
}

/** Checks a directory on other systems. A link that takes its place after the check would be followed. */
async function lookAtPlace(directory: string): Promise<Place> {
  if (!(await lstat(directory)).isDirectory()) {
    throw makeOsError('ENOTDIR');
  }
  return { path: directory, close: () => Promise.resolve() };
}
