import { readFileSync } from 'node:fs';
import path from 'node:path';

import { putPrivateFile } from '../privateFile.js';

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
    for (const [name, script] of Object.entries(files)) {
      putPrivateFile(path.join(folder, name), readFileSync(path.join(scripts, script), 'utf8'));
    }
    return true;
  } catch {
    return false;
  }
}
