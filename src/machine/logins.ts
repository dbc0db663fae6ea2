import { existsSync, readdirSync, readFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';

import { isOfLogin } from './controlGroups.js';

/** The folders of systemd's settings. A file in a later one takes the place of the same file in an earlier one. */
const SETTINGS = ['usr/lib/systemd', 'run/systemd', 'etc/systemd'];

/** A user of systemd; by default the one of this process. The root is a folder in tests. */
export interface LoginUser {
  readonly name: string;
  readonly uid: number;
  readonly root: string;
}

function thisUser(): LoginUser {
  const uid = process.getuid?.() ?? 0;
  try {
    return { name: os.userInfo().username, uid, root: '/' };
  } catch {
    // In a container a user may have a number alone, and no logins.
    return { name: '', uid, root: '/' };
  }
}

/** Whether systemd keeps what a user's service manager runs when the user has no login any more. */
export function lingers({ name, root } = thisUser()): boolean {
  return name !== '' && existsSync(path.join(root, 'var/lib/systemd/linger', name));
}

/** Whether a process ends with the login that it belongs to. By default root is left out. */
export function endsAtLogout(controlGroups: string, { uid, root } = thisUser()): boolean {
  return isOfLogin(controlGroups) && uid !== 0 && killsUserProcesses(root);
}

function killsUserProcesses(root: string): boolean {
  const folders = SETTINGS.map((folder) => path.join(root, folder));
  const main = folders.map((folder) => path.join(folder, 'logind.conf')).findLast((file) => existsSync(file));
  const parts = new Map(
    folders
      .map((folder) => path.join(folder, 'logind.conf.d'))
      .filter((folder) => existsSync(folder))
      .flatMap((folder) => readdirSync(folder).map((name) => [name, path.join(folder, name)] as const)),
  );
  const names = [...parts.keys()].filter((name) => name.endsWith('.conf')).sort();
  const values = [main, ...names.map((name) => parts.get(name))].flatMap((file) =>
    [...textOf(file).matchAll(/^\s*KillUserProcesses\s*=\s*(\S*)\s*$/gm)].map(([, value]) => value ?? ''),
  );
  return /^(?:1|yes|y|true|t|on)$/i.test(values.at(-1) ?? '');
}

function textOf(file: string | undefined): string {
  try {
    return file === undefined ? '' : readFileSync(file, 'utf8');
  } catch {
    return '';
  }
}
