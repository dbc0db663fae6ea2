import type { Stats } from 'node:fs';
import { lstat, readdir, readlink, realpath, stat, symlink } from 'node:fs/promises';
import path from 'node:path';

import { type ParamsOf, pathFromUri, type ResultOf } from '../../../protocol/index.js';
import { isOsError } from '../osErrors.js';
import { refuseFileSandbox } from '../sandbox.js';
import { copyOneFile } from './copyFile.js';
import { createUnlessThere, createWithParents, entryOf } from './directories.js';
import { invalidRequest } from './fileAnswers.js';

/** Copies a file, a link as a link, or a directory with all files, links and directories in it. */
export async function copy(params: ParamsOf<'fs/copy'>, signal: AbortSignal): Promise<ResultOf<'fs/copy'>> {
  refuseFileSandbox(params);
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
