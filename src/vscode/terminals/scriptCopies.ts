import { copyFileSync, mkdirSync, readFileSync, renameSync } from 'node:fs';
import path from 'node:path';

/**
 * Copies scripts of VS Code to where no update of it removes them: a session that is run again has the arguments of its first
 * start, and an update of VS Code has another folder.
 *
 * @param scripts The folder of VS Code's scripts.
 * @param folder For this user alone, since shells run what is in it.
 * @param files The names of the copies, and the script for each.
 * @returns whether all are there: this VS Code may have no such scripts, and the folder may not be writable.
 */
export function copyScripts(
  scripts: string,
  folder: string,
  files: Readonly<Record<string, string>>,
): boolean {
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    for (const [name, script] of Object.entries(files)) {
      putInPlace(path.join(scripts, script), path.join(folder, name));
    }
    return true;
  } catch {
    return false;
  }
}

/** A shell that starts at the same time reads the old file or the new one, and never a part. */
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
