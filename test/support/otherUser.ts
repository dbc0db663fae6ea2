import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';

import { temporaryFolder } from '../rig/lifetime.js';

/** Programs that root runs as another user, who owns nothing and is in no group. */

/** A user of every system that owns nothing. */
export const NOBODY = 65_534;

const copies = new Map<string, string>();

/** A copy of a folder of programs, since it may lie in one that only root can read. It is removed with this process. */
export function copyForAll(folder: string): string {
  let copy = copies.get(folder);
  if (copy === undefined) {
    copy = fs.mkdtempSync(path.join(COMMON, 'es-programs-'));
    temporaryFolder(copy);
    fs.cpSync(folder, copy, { recursive: true, mode: fs.constants.COPYFILE_FICLONE });
    fs.chmodSync(copy, 0o755);
    copies.set(folder, copy);
  }
  return copy;
}

/** Not the folder of one test. */
const COMMON = os.tmpdir();

/** Makes a user the owner of a file or a folder, and of everything in it. */
export function giveTo(uid: number, file: string): void {
  fs.lchownSync(file, uid, uid);
  if (!fs.lstatSync(file).isDirectory()) return;
  for (const name of fs.readdirSync(file)) giveTo(uid, path.join(file, name));
}

/** The command that runs `argv` as a user. */
export function asUser(uid: number, argv: readonly [string, ...string[]]): readonly [string, ...string[]] {
  return ['setpriv', `--reuid=${uid}`, `--regid=${uid}`, '--clear-groups', ...argv];
}
