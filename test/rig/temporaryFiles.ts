import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';

/** tsx keeps what it has compiled among the temporary files: links that into another folder for them. */
export function linkTsxCache(folder: string): void {
  const name = `tsx-${process.geteuid?.() ?? os.userInfo().username}`;
  const cache = path.join(os.tmpdir(), name);
  fs.mkdirSync(cache, { recursive: true });
  fs.symlinkSync(cache, path.join(folder, name), 'junction');
}

/** The variables that name the folder for temporary files. */
export function temporaryVariables(folder: string): Readonly<Record<string, string>> {
  return process.platform === 'win32' ? { TEMP: folder, TMP: folder } : { TMPDIR: folder };
}
