import { randomUUID } from 'node:crypto';
import { existsSync, lstatSync, mkdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';

import type { HostVariables } from '../core/index.js';
import { StartError, systemReason } from './startError.js';
import { homeOf, runtimeFolderOf, temporaryFolderOf } from './userFolders.js';

/**
 * Makes a folder that only this user can look into; an existing folder must be private already.
 *
 * @throws StartError
 */
export function ensurePrivateFolder(folder: string): void {
  // Links are not followed: the owner of a link could point it somewhere else later.
  const isLink = lstatSync(folder, { throwIfNoEntry: false })?.isSymbolicLink() === true;
  try {
    if (!isLink) {
      makeFolder(folder);
    }
  } catch (error) {
    throw new StartError(`cannot make the folder ${folder}: ${systemReason(error)}`, { cause: error });
  }
  if (process.platform === 'win32') {
    return;
  }
  const found = lstatSync(folder);
  if (!found.isDirectory()) {
    throw new StartError(
      `${folder} must be a folder, and is ${isLink ? 'a link' : 'something else'}. Remove it, or choose another place`,
    );
  }
  if (found.uid !== process.getuid?.()) {
    throw new StartError(`the folder ${folder} belongs to another user. Choose another place`);
  }
  if ((found.mode & 0o077) !== 0) {
    throw new StartError(
      `others can look into the folder ${folder}. Choose one that only you can look into (mode 700)`,
    );
  }
}

/**
 * Makes sure that a file can be written into a folder: a disk that is full may still have room for a folder.
 *
 * @throws NodeJS.ErrnoException
 */
export function ensureWritable(folder: string): void {
  const file = path.join(folder, `.${randomUUID()}`);
  try {
    writeFileSync(file, 'x', { mode: 0o600 });
  } finally {
    rmSync(file, { force: true });
  }
}

/**
 * The folders that may have the sockets of this user, best first: that of the login, that for temporary files, and
 * one at home. The first exists only during a login, and not with every kind of login. So two programs of
 * the same user may prefer different ones.
 */
export function privatePlaces(env: HostVariables): readonly [string, ...string[]] {
  const runtime = runtimeFolderOf(env);
  const home = path.join(homeOf(env), '.exec-sessions');
  const user = process.getuid?.() ?? os.userInfo().username;
  const temporary = path.join(temporaryFolderOf(env), `exec-sessions-${user}`);
  return runtime !== undefined && isOfThisUser(runtime)
    ? [path.join(runtime, 'exec-sessions'), temporary, home]
    : [temporary, home];
}

/**
 * The variable may name a folder that does not exist, since not every kind of login creates it. The commands `su` and
 * `sudo` may leave the variable as it was for another user. That user's folder is not to be used, not even by root, who
 * could.
 */
function isOfThisUser(runtime: string): boolean {
  try {
    const { uid } = statSync(runtime);
    return process.platform === 'win32' || uid === process.getuid?.();
  } catch {
    return false;
  }
}

/**
 * The folders in which to look for servers of this user. A program outside of any login may have to look for a server
 * that was started at a login.
 */
export function placesToLook(env: HostVariables): readonly string[] {
  const places = privatePlaces(env);
  return process.platform === 'linux' && runtimeFolderOf(env) === undefined
    ? [...places, `/run/user/${process.getuid?.() ?? ''}/exec-sessions`]
    : places;
}

/**
 * The folder of the default socket, and of a token that a server makes. Any user can make that folder among the
 * temporary files. If another user has, a folder at home takes its place, and this is logged. The programs of one user
 * find the same folder, since no other user can replace it.
 */
export function defaultFolder(env: HostVariables, log: (line: string) => void): string {
  const places = privatePlaces(env);
  const [usual] = places;
  const owner = ownerOf(usual);
  const other = places.at(-1);
  if (
    process.platform === 'win32' ||
    owner === undefined ||
    owner === process.getuid?.() ||
    other === undefined
  ) {
    return usual;
  }
  const reason = owner === 'hidden' ? 'may not be looked at' : `belongs to another user (user ${owner})`;
  log(`${usual} ${reason}, so ${other} is used in its place.`);
  return other;
}

/** @returns undefined if nothing is there; `hidden` in a folder of another user, which `su` may leave in `TMPDIR`. */
function ownerOf(folder: string): number | 'hidden' | undefined {
  try {
    return lstatSync(folder, { throwIfNoEntry: false })?.uid;
  } catch {
    return 'hidden';
  }
}

/** The socket in a folder at which the server of this user listens by default. */
export function socketIn(folder: string): string {
  return path.join(folder, 'exec-server.sock');
}

/**
 * Makes a folder, and its parents one after the other. When Node makes several at once on a disk that may only be read,
 * it reports a missing folder.
 */
function makeFolder(folder: string): void {
  const parent = path.dirname(folder);
  if (parent !== folder && !existsSync(parent)) {
    makeFolder(parent);
  }
  try {
    mkdirSync(folder, { mode: 0o700 });
  } catch (error) {
    // It may be there already. It is not a folder if a file has the name.
    if (statSync(folder, { throwIfNoEntry: false })?.isDirectory() !== true) {
      throw error;
    }
  }
}
