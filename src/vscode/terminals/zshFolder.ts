import { copyFileSync, mkdirSync, readFileSync, renameSync } from 'node:fs';
import path from 'node:path';

/** The start-up files of zsh, and VS Code's script for each, which reads the user's own file first. */
const FILES: Readonly<Record<string, string>> = {
  '.zshenv': 'shellIntegration-env.zsh',
  '.zprofile': 'shellIntegration-profile.zsh',
  '.zshrc': 'shellIntegration-rc.zsh',
  '.zlogin': 'shellIntegration-login.zsh',
};

/**
 * Fills a folder that zsh can take its start-up files from: it has no argument for a script of its own. They are copies, so
 * that a session that is run again after an update of VS Code finds them, too.
 *
 * @param scripts The folder of VS Code's scripts.
 * @param folder For this user alone, since zsh runs what is in it.
 * @returns whether zsh can use it: this VS Code may have no such scripts, and the folder may not be writable.
 */
export function fillZshFolder(scripts: string, folder: string): boolean {
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    for (const [name, script] of Object.entries(FILES)) {
      putInPlace(path.join(scripts, script), path.join(folder, name));
    }
    return true;
  } catch {
    return false;
  }
}

/** A zsh that starts at the same time reads the old file or the new one, and never a part. */
function putInPlace(from: string, to: string): void {
  if (textOf(to) !== readFileSync(from, 'utf8')) {
    const aside = `${to}.${process.pid}`;
    copyFileSync(from, aside);
    renameSync(aside, to);
  }
}

/** @returns undefined if it cannot be read, most likely because it is not there yet. */
function textOf(file: string): string | undefined {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return undefined;
  }
}
