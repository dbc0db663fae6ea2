import { readFileSync } from 'node:fs';
import path from 'node:path';

import { putPrivateFile } from '../privateFile.js';

/**
 * Copies scripts of VS Code into a folder that no update removes. A session that is run again has the arguments of its
 * first start, and an updated VS Code has another folder.
 *
 * @param scripts The folder of VS Code's scripts.
 * @param folder A folder for this user only, since shells run its content.
 * @param files The names of the copies, and the script for each.
 * @returns whether all copies exist. This VS Code may lack such scripts, and the folder may not be writable.
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
