import { randomUUID } from 'node:crypto';
import { existsSync, lstatSync, mkdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';

import type { HostVariables } from '../core/index.js';
import { homeInDatabase } from '../local/index.js';
import { jobFolder } from './jobStep.js';
import { StartError, systemReason } from './startError.js';

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

/** A user as the system knows it, whatever the variables of a program say. */
interface SystemUser {
  /** The folder of a login. Linux makes it at the first one, beside those of other users. */
  readonly login: string;
  /** As the user database has it. */
  readonly home: string | undefined;
  /** A folder among the temporary files. */
  readonly temporary: string;
}

/** The folders that may have the sockets of this user, best first, and the reason for the best one. */
interface SocketPlaces {
  readonly folders: readonly [string, ...string[]];
  readonly why: string;
}

/**
 * The system names the folders, so all programs of a user find the same ones, whatever variables they have. Another
 * folder in XDG_RUNTIME_DIR than one of a login overrides them. It is then the only place, so that its programs have
 * servers of their own.
 */
export function socketPlaces(env: HostVariables, user = thisUser()): SocketPlaces {
  const { login, home, temporary } = user;
  const job = jobFolder(env);
  if (job !== undefined) {
    return { folders: [job], why: 'you are in a job of Slurm' };
  }
  const named = env['XDG_RUNTIME_DIR'] ?? '';
  const isLogin = named.startsWith(`${path.dirname(login)}/`);
  if (path.isAbsolute(named) && !isLogin && isOfThisUser(named)) {
    return { folders: [path.join(named, 'exec-sessions')], why: 'XDG_RUNTIME_DIR names it' };
  }
  const others: readonly [string, ...string[]] =
    home === undefined ? [temporary] : [path.join(home, '.exec-sessions'), temporary];
  return isOfThisUser(login)
    ? { folders: [path.join(login, 'exec-sessions'), ...others], why: 'the folder of your login' }
    : { folders: others, why: home === undefined ? 'you have no home' : 'the home of your user' };
}

function thisUser(): SystemUser {
  const id = process.getuid?.() ?? os.userInfo().username;
  const temporary = process.platform === 'win32' ? os.tmpdir() : '/tmp';
  return {
    login: `/run/user/${id}`,
    home: homeInDatabase(),
    temporary: path.join(temporary, `exec-sessions-${id}`),
  };
}

/** The folders of {@link socketPlaces}. */
export function privatePlaces(env: HostVariables): readonly [string, ...string[]] {
  return socketPlaces(env).folders;
}

/**
 * A variable may name a folder that does not exist, since not every kind of login creates it. The commands `su` and
 * `sudo` may leave the variable as it was for another user. That user's folder is not to be used, not even by root, who
 * could.
 */
function isOfThisUser(folder: string): boolean {
  try {
    const { uid } = statSync(folder);
    return process.platform === 'win32' || uid === process.getuid?.();
  } catch {
    return false;
  }
}

/** The folder of the default socket, and of a token that a server makes. */
export function defaultFolder(env: HostVariables): string {
  return privatePlaces(env)[0];
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
