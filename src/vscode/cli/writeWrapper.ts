import { mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises';

import type { Wrapper } from './wrapper.js';

/**
 * Writes the wrapper unless it is there as it should be. Windows that do this at the same time do not disturb each
 * other, nor somebody who runs it.
 *
 * @throws NodeJS.ErrnoException
 */
export async function writeWrapper({ folder, file, text }: Wrapper): Promise<void> {
  if ((await readFile(file, 'utf8').catch(() => undefined)) === text) {
    return;
  }
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const aside = `${file}.${process.pid}`;
  try {
    await writeFile(aside, text, { mode: 0o700 });
    await rename(aside, file);
  } catch (error) {
    await rm(aside, { force: true });
    throw error;
  }
}
