import { constants, type Stats } from 'node:fs';
import {
  copyFile,
  type FileHandle,
  lstat,
  open,
  readdir,
  readlink,
  realpath,
  stat,
  symlink,
} from 'node:fs/promises';
import path from 'node:path';

import { type ParamsOf, pathFromUri, type ResultOf } from '../../../protocol/index.js';
import { isOsError } from '../osErrors.js';
import { createUnlessThere, createWithParents, entryOf } from './directories.js';
import { invalidRequest } from './fileAnswers.js';
import { undoneUnlessWritten, writeAt } from './openFile.js';

/** Copies a file, a link as a link, or a directory with all files, links and directories in it. */
export async function copy(params: ParamsOf<'fs/copy'>, signal: AbortSignal): Promise<ResultOf<'fs/copy'>> {
  const source = pathFromUri(params.sourcePath);
  const destination = pathFromUri(params.destinationPath);
  const stats = await lstat(source);
  if (stats.isDirectory()) {
    if (!params.recursive) {
      throw invalidRequest('fs/copy requires recursive: true when sourcePath is a directory');
    }
    if (isInside(await finalPath(destination), await realpath(source))) {
      throw invalidRequest('fs/copy cannot copy a directory to itself or one of its descendants');
    }
    await createWithParents(destination);
    await copyContents(Buffer.from(source), Buffer.from(destination), signal);
  } else if (!(await copyEntry(source, destination, stats))) {
    throw notCopied();
  }
  return {};
}

function notCopied(): Error {
  return invalidRequest('fs/copy only supports regular files, directories, and symlinks');
}

/** Copies the entries of a directory. Names are bytes, since they need not be text. */
async function copyContents(source: Buffer, destination: Buffer, signal: AbortSignal): Promise<void> {
  for (const name of await readdir(source, { encoding: 'buffer' })) {
    signal.throwIfAborted();
    const from = entryOf(source, name);
    const to = entryOf(destination, name);
    const stats = await lstat(from);
    if (stats.isDirectory()) {
      await createUnlessThere(to);
      await copyContents(from, to, signal);
    } else {
      // Pipes, sockets and devices are left out.
      await copyEntry(from, to, stats);
    }
  }
}

/** @returns false if the source is neither a file nor a link. */
async function copyEntry(
  source: string | Buffer,
  destination: string | Buffer,
  stats: Stats,
): Promise<boolean> {
  if (stats.isSymbolicLink()) {
    await symlink(await readlink(source, { encoding: 'buffer' }), destination);
    return true;
  }
  if (!stats.isFile()) {
    return false;
  }
  const there = await statOf(destination);
  refusePipe(there);
  await copyOneFile(source, destination, there);
  return true;
}

/** Refuses a destination that is a pipe or a device: opening a pipe would wait for a reader. */
function refusePipe(there: Stats | undefined): void {
  if (there !== undefined && !there.isFile() && !there.isDirectory()) {
    throw notCopied();
  }
}

async function statOf(file: string | Buffer): Promise<Stats | undefined> {
  try {
    return await stat(file);
  } catch {
    return undefined; // copyFile reports the error, if it matters.
  }
}

/** The place to which a path leads. Its last parts need not exist yet. */
async function finalPath(file: string): Promise<string> {
  try {
    return await realpath(file);
  } catch (error) {
    const parent = path.dirname(file);
    if (!isOsError(error, 'ENOENT') || parent === file) {
      return file;
    }
    return path.join(await finalPath(parent), path.basename(file));
  }
}

function isInside(file: string, directory: string): boolean {
  const way = path.relative(directory, file);
  return way === '' || (way !== '..' && !way.startsWith(`..${path.sep}`) && !path.isAbsolute(way));
}

const BLOCK_BYTES = 1024 * 1024;
const RIGHTS = 0o7777;

/**
 * Copies a file with its rights. An existing file keeps its content if there is no room for the new one. Node's own
 * copy would empty it first, and remove it after an error.
 *
 * @param there The description of the destination, if it is known.
 * @throws An error of the system.
 */
async function copyOneFile(
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
